import { Group, Stack, Text } from "@mantine/core";
import { IconClockPlay, IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ProofAbout, ProofState, RecordId, SiteProof, SiteProofView, SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { formatDuration, formatLeft, formatTime, useNow } from "@/lib/format";
import { useProofHeadline } from "@/lib/proof-text";
import { useSiteProof } from "@/lib/queries/site";
import { useCommand, useStale } from "@/lib/use-command";
import { CommandButton, Notice, ProblemNotice, type Tone } from "./notice";
import { Fact, type OutcomeName, OutcomeTitle } from "./outcome";
import { Section } from "./page";
import { ProofLines, ProofList } from "./proof-lines";
import { Heading, Small } from "./text";

const tones: Record<ProofState, Tone> = {
	done: "succeeded",
	wrong: "failed",
	notKnown: "unknown",
	// After an import, every site is unavailable for a time, so this is no warning.
	notYet: "notSent",
};

/** Lines that stay visible when all checks succeed, because administrators look for them after an import. */
const first: readonly ProofAbout[] = ["searchIndex", "federation", "services", "orphans"];

/** State of the site after an import. The checks go on until the site is back. */
export function BackAfterImport({ site, record, facts, outcome = null, children }: BackAfterImportProps) {
	const proof = useSiteProof(site.id, record).data ?? null;
	const stale = useStale();
	const checkedAt = proof?.proof?.checkedAt ?? null;
	useEffect(() => {
		// Each check counts the content of the portal, as `checkPortalImport` does, but without that command.
		if (record !== null && checkedAt !== null) void stale("checkPortalImport", record);
	}, [stale, record, checkedAt]);
	// The check belongs to the latest import of the site. Without a record, the import cannot be identified.
	const view = record !== null && proof?.import === record ? proof : null;
	if (view === null && outcome === null) return null;
	return (
		<BackCard site={site} view={view} facts={facts} outcome={outcome}>
			{children}
		</BackCard>
	);
}

interface ImportOutcome {
	outcome: OutcomeName;
	title: string;
}

interface BackAfterImportProps {
	site: SiteView;
	record: RecordId | null;
	/** Rows about the import, below those of the check. */
	facts?: ReactNode;
	/** Outcome of the import: the headline before the check starts and after a later import, otherwise a row. */
	outcome?: ImportOutcome | null;
	/** Further content about the import. */
	children?: ReactNode;
}

/** Check of a whole site, which can be repeated at any time. */
export function WholeSite({ site }: { site: SiteView }) {
	const { t } = useTranslation("siteProof");
	const view = useSiteProof(site.id).data;
	const check = useCheckAgain(site);
	// Until the last check is read, it is not known whether the site was checked.
	if (view === undefined) return null;
	if (view) {
		return (
			<Section title={t("title")}>
				<BackCard site={site} view={view} />
			</Section>
		);
	}
	return (
		<Stack gap="xs" component="section" aria-label={t("title")}>
			<Group gap="xs" wrap="nowrap">
				<Text c="dimmed" flex={1}>
					{t("never")}
				</Text>
				<CommandButton command={check} label={t("check")} flex="none" icon={IconRefresh} />
			</Group>
			<ProblemNotice problem={check.error} site={site} />
		</Stack>
	);
}

function useCheckAgain(site: SiteView) {
	return useCommand((backend) => backend.checkSiteBack(site.id), ["checkSiteBack", site.id]);
}

interface BackCardProps {
	site: SiteView;
	/** `null`: no check belongs to the import. */
	view: SiteProofView | null;
	facts?: ReactNode;
	outcome?: ImportOutcome | null;
	children?: ReactNode;
}

/**
 * Card with the result of the last check of the whole site. Its children keep their place when a check begins, so that a
 * dialog that was opened from them stays open.
 */
function BackCard({ site, view, facts, outcome = null, children }: BackCardProps) {
	const { t } = useTranslation("siteProof");
	const headline = useProofHeadline();
	const check = useCheckAgain(site);
	const stop = useCommand((backend) => backend.stopSiteCheck(site.id), ["stopSiteCheck", site.id]);
	const { proof = null, isWaiting = false, nextAt = null, importStartedAt = null } = view ?? {};
	const { importEndedAt = null, unknownImportAt = null } = view ?? {};
	const state = unknownImportAt === null ? (proof?.state ?? "notYet") : "notKnown";
	const title =
		proof === null
			? t("headline.first")
			: unknownImportAt === null
				? headline(proof, importEndedAt)
				: t("headline.notKnown");
	const rows = (
		<>
			{view === null || outcome === null ? null : <Fact name={t("imported.outcome")}>{outcome.title}</Fact>}
			{facts}
		</>
	);
	return (
		<Notice
			tone={view === null && outcome !== null ? outcome.outcome : tones[state]}
			{...(view !== null && state === "notYet" ? { icon: IconClockPlay } : {})}
			{...(view === null && outcome !== null ? {} : { role: "status" })}
			title={
				view === null && outcome !== null ? (
					<OutcomeTitle {...outcome} />
				) : (
					<Group mt={-6} justify="space-between" gap="2px var(--mantine-spacing-xs)">
						<Heading flex="1 1 auto" py={4}>
							{title}
						</Heading>
						<Group gap="2px var(--mantine-spacing-xs)">
							{proof === null ? null : (
								<Small>
									{isWaiting && nextAt !== null
										? t("next", { at: formatTime(proof.checkedAt), next: formatTime(nextAt) })
										: t("checked", { at: formatTime(proof.checkedAt) })}
								</Small>
							)}
							<CommandButton command={check} label={t("again")} icon={IconRefresh} />
							{isWaiting ? <CommandButton command={stop} label={t("stop")} /> : null}
						</Group>
					</Group>
				)
			}
		>
			{unknownImportAt === null ? null : <Text>{t("unknownImport", { at: formatTime(unknownImportAt) })}</Text>}
			{proof === null ? (
				outcome === null ? null : (
					<ProofList>{rows}</ProofList>
				)
			) : (
				<Found site={site} proof={proof} startedAt={importStartedAt} isWaiting={isWaiting}>
					{rows}
				</Found>
			)}
			{children}
			<ProblemNotice problem={check.error} site={site} />
			<ProblemNotice problem={stop.error} />
		</Notice>
	);
}

interface FoundProps {
	site: SiteView;
	proof: SiteProof;
	startedAt: number | null;
	isWaiting: boolean;
	children?: ReactNode;
}

/** Lines of a check. When all succeed, most of them and the facts about the import are collapsed. */
function Found({ site, proof, startedAt, isWaiting, children }: FoundProps) {
	const { t } = useTranslation("siteProof");
	const { lines, state, recoveryTime, isAtMost = false } = proof;
	// Until the site is back, the recovery time goes on.
	const now = useNow(30_000);
	const at = startedAt === null ? "" : formatTime(startedAt);
	const shown = state === "done" ? lines.filter(({ about }) => first.includes(about)) : lines;
	const folded = lines.filter((line) => !shown.includes(line));
	const recovery =
		startedAt === null || (recoveryTime === null && !isWaiting) ? null : recoveryTime === null ? (
			<Fact name={t("line.recovery")}>{t("fact.soFar", { time: formatLeft(now - startedAt), at })}</Fact>
		) : (
			<Fact name={t("line.recovery")}>
				{t(isAtMost ? "fact.recoveryAtMost" : "fact.recovery", { time: formatDuration(recoveryTime), at })}
			</Fact>
		);
	const ofImport = (
		<>
			{recovery}
			{children}
		</>
	);
	const title = startedAt === null ? "folded" : "foldedWithImport";
	return (
		<>
			<ProofLines site={site} proof={proof} lines={shown}>
				{folded.length === 0 ? ofImport : null}
			</ProofLines>
			{folded.length === 0 ? null : (
				<Foldable title={t(title, { count: folded.length })}>
					<ProofLines site={site} proof={proof} lines={folded}>
						{ofImport}
					</ProofLines>
				</Foldable>
			)}
		</>
	);
}

/** Last check of the site after an import, as the history stores it. */
export function KeptProof({ site = null, proof }: { site?: SiteView | null; proof: SiteProof }) {
	const headline = useProofHeadline();
	return (
		<Notice tone={tones[proof.state]} role="status" title={headline(proof, null)}>
			<ProofLines site={site} proof={proof} lines={proof.lines} />
		</Notice>
	);
}
