import { Text, Tooltip } from "@mantine/core";
import {
	IconCircleCheck,
	IconCircleDashed,
	IconCircleX,
	IconClockPlay,
	IconHelpCircle,
	IconPlayerTrackNext,
	type IconProps,
} from "@tabler/icons-react";
import { type ComponentType, useCallback } from "react";
import { useTranslation } from "react-i18next";
import type {
	Fate,
	KeepRules,
	NotRemoved,
	PartState,
	Reason,
	RestoreStep,
	SetFile,
	SetPart,
	SetView,
	SiteView,
} from "@/bridge";
import { boardClasses } from "@/components/board";
import { faultKeyOf } from "@/lib/plan-text";
import { serverName } from "@/lib/target";
import { joined } from "@/messages/isolated";

const icons: Record<PartState["kind"], readonly [ComponentType<IconProps>, string]> = {
	waiting: [IconClockPlay, "var(--mantine-color-dimmed)"],
	running: [IconClockPlay, "var(--mantine-color-dimmed)"],
	verifiedHere: [IconCircleCheck, "var(--tone-succeeded)"],
	// Not a failure: the plan might expect only this.
	onSite: [IconCircleDashed, "var(--tone-notSent)"],
	unrecognized: [IconCircleDashed, "var(--tone-warnings)"],
	failed: [IconCircleX, "var(--tone-failed)"],
	unknown: [IconHelpCircle, "var(--tone-unknown)"],
	skipped: [IconPlayerTrackNext, "var(--tone-failed)"],
};

export function PartStateWord({ part }: { part: SetPart }) {
	const { t } = useTranslation("plans");
	const wordOf = usePartWord();
	const [Icon, usual] = icons[part.state.kind];
	const isOnlyWarned = isWarned(part) && ["verifiedHere", "onSite"].includes(part.state.kind);
	const color = isOnlyWarned ? "var(--tone-warnings)" : usual;
	return (
		<span className={boardClasses.fact}>
			<Icon size={16} color={color} aria-hidden />
			<Text component="span">{joined([wordOf(part.state), isWarned(part) ? t("part.warned") : ""], ", ")}</Text>
		</span>
	);
}

function usePartWord(): (state: PartState) => string {
	const { t } = useTranslation("plans");
	return (state) => t(`part.${state.kind === "onSite" && state.size !== null ? "onSiteSize" : state.kind}`);
}

/** Returns a function that states that an export is of another version than the site; empty if it is not. */
export function useOtherVersion(): (step: RestoreStep) => string {
	const { t } = useTranslation("plans");
	return ({ otherVersion }) => (otherVersion === null ? "" : t("set.otherVersion", { ...otherVersion }));
}

/** Returns a function that explains why a part is not as expected; empty if its state is enough. */
export function usePartReason(): (state: PartState) => string {
	const { t } = useTranslation("plans");
	return (state) => {
		if (state.kind === "skipped") return t(`skip.${state.reason}`);
		return state.kind === "failed" ? t(`fault.${faultKeyOf(state.fault)}`) : "";
	};
}

/**
 * Returns a function that names a part as in the list of sets. A server that was removed from the site keeps its former
 * name.
 */
export function usePartName(site: SiteView): (part: Pick<SetPart, "server" | "name">) => string {
	const { t } = useTranslation("plans");
	return useCallback(
		({ server, name }) => (server === null ? t("sets.portal") : serverName(site, server) || name),
		[t, site],
	);
}

/** Whether every entry of the export was read. */
export const isVerified = ({ state }: Pick<SetPart, "state">) => state.kind === "verifiedHere";

export const isWarned = ({ warnings }: Pick<SetPart, "warnings">) => warnings != null;

/**
 * Returns the export file of a part on this computer. `folder` is `null` for the folder of the set; the file of a
 * portal stays where the portal wrote it.
 */
export function exportOf({ files, portalFile }: SetPart): (SetFile & { folder: string | null }) | null {
	const file = files.find(({ name }) => name.endsWith(".agssite"));
	return file ? { ...file, folder: null } : portalFile;
}

export function verifiable({ set: { parts, ended } }: SetView): SetPart[] {
	return ended === null ? [] : parts.filter((part) => exportOf(part) !== null);
}

/** Shortens a SHA-256 for display. */
export const shortened = (sha256: string) => `${sha256.slice(0, 8)}…${sha256.slice(-4)}`;

interface KeptBecauseProps {
	fate: Fate;
	keep: KeepRules;
	/** Why the set is still stored although no rule keeps it. */
	notRemoved?: NotRemoved | null;
}

/** Rules that keep a set, or that none does. Each has a tooltip with the full rule, also by keyboard. */
export function KeptBecause({ fate, keep, notRemoved }: KeptBecauseProps) {
	const { t } = useTranslation("plans");
	if (notRemoved) {
		const { why } = notRemoved;
		return (
			<Text component="span" mod="anywhere">
				{t(`notRemoved.${why.kind}`, { said: "said" in why ? why.said : "" })}
			</Text>
		);
	}
	if (fate.kind === "removed") return <Text component="span">{t("kept.removed")}</Text>;
	const short = (reason: Reason) =>
		"number" in reason ? t(`kept.${reason.kind}`, { number: reason.number }) : t(`kept.${reason.kind}`);
	const rule = (reason: Reason) => {
		if (reason.kind === "within") return t("keptRule.within", { count: keep.withinDays ?? 0 });
		if (!("number" in reason)) return t(`keptRule.${reason.kind}`);
		return t(`keptRule.${reason.kind}`, { number: reason.number, rule: keep[reason.kind] ?? reason.number });
	};
	const rules = fate.reasons.map((reason) => (
		<span key={reason.kind} style={{ display: "block" }}>
			<strong>{`${short(reason)}:`}</strong> {rule(reason)}
		</span>
	));
	return (
		<Tooltip label={rules} multiline maw={320}>
			<Text component="span" tabIndex={0} td="underline dotted" style={{ textUnderlineOffset: 3 }}>
				{joined(fate.reasons.map(short), ", ")}
			</Text>
		</Tooltip>
	);
}
