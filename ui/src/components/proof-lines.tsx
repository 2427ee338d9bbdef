import { Anchor, Text, VisuallyHidden } from "@mantine/core";
import {
	IconAlertTriangle,
	IconCircleCheck,
	IconCircleDashed,
	IconClockPlay,
	IconHelpCircle,
	type IconProps,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ComponentType, Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
	type OpenPart,
	type Problem,
	type ProofLine,
	type ProofState,
	type SiteId,
	type SiteProof,
	type SiteView,
	useBackend,
} from "@/bridge";
import { formatNumber } from "@/lib/format";
import { useOpenPartText, useProofFact, waits } from "@/lib/proof-text";
import { ProblemNotice } from "./problem-notice";
import classes from "./proof-lines.module.css";

/** Parts of a line that are named; the number of the others is given. */
const named = 5;

const icons: Record<ProofState | "waits", ComponentType<IconProps>> = {
	done: IconCircleCheck,
	wrong: IconAlertTriangle,
	notKnown: IconHelpCircle,
	notYet: IconClockPlay,
	waits: IconCircleDashed,
};

const tones: Record<ProofState | "waits", string> = {
	done: "var(--tone-succeeded)",
	wrong: "var(--tone-warnings)",
	notKnown: "var(--tone-unknown)",
	notYet: "var(--mantine-color-dimmed)",
	waits: "var(--mantine-color-dimmed)",
};

interface ProofLinesProps {
	/** `null`: no link opens a page of it. */
	site: SiteView | null;
	proof: SiteProof;
	/** Those that are shown, in their order. */
	lines: readonly ProofLine[];
	/** Further rows. */
	children?: ReactNode;
}

/** What a check of a whole site found, one line for each kind. */
export function ProofLines({ site, proof, lines, children }: ProofLinesProps) {
	const { t } = useTranslation("siteProof");
	const factOf = useProofFact();
	return (
		<dl className={classes.lines}>
			{lines.map((line) => {
				const state = waits(line) ? "waits" : line.state;
				const Icon = icons[state];
				return (
					<Fragment key={line.about}>
						<Text component="dt" c="dimmed">
							{t(`line.${line.about}`)}
						</Text>
						<Text component="dd" className={classes.fact ?? ""}>
							<Icon size={16} color={tones[state]} className={classes.icon} aria-hidden />
							<VisuallyHidden>{t("stateOf", { state: t(`state.${state}`) })}</VisuallyHidden>
							{factOf(line, proof)}
							<Open site={site} line={line} />
						</Text>
					</Fragment>
				);
			})}
			{children}
		</dl>
	);
}

/** A row without a state. */
export function ProofFact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<Text component="dt" c="dimmed">
				{name}
			</Text>
			<Text component="dd" className={classes.fact ?? ""}>
				{children}
			</Text>
		</>
	);
}

function Open({ site, line }: { site: SiteView | null; line: ProofLine }) {
	const { t } = useTranslation("siteProof");
	const open = line.open.filter((part) => !isInLine(part));
	const left = Math.max(0, open.length - named) + line.more;
	return (
		<>
			{open.slice(0, named).map((part) => (
				<Part key={`${part.server} ${part.name} ${part.why.kind}`} site={site} part={part} />
			))}
			{left > 0 ? (
				<Text c="dimmed" size="xs">
					{t("more", { count: left, formatted: formatNumber(left) })}
				</Text>
			) : null}
		</>
	);
}

/** Whether the line itself says all of a part: the numbers of the items, as long as their pace is not known. */
function isInLine({ name, why }: OpenPart): boolean {
	return why.kind === "behind" && name === "search" && why.left === null;
}

function Part({ site, part }: { site: SiteView | null; part: OpenPart }) {
	const { t } = useTranslation("siteProof");
	const textOf = useOpenPartText();
	const backend = useBackend();
	const open = useMutation<null, Problem, { site: SiteId; address: string }>({
		mutationFn: (page) => backend.openLink(page.site, page.address),
	});
	const page = site === null ? null : itemPage(site, part);
	return (
		<Text c="dimmed" size="xs" component="div">
			{textOf(part)}
			{page === null ? null : (
				<>
					{" "}
					<Anchor component="button" type="button" size="xs" onClick={() => open.mutate(page)}>
						{t("openItem")}
					</Anchor>
				</>
			)}
			{open.error ? <ProblemNotice problem={open.error} /> : null}
		</Text>
	);
}

/** The page of an item at its portal; `null` for what is no item. */
function itemPage({ id, portal }: SiteView, { why }: OpenPart): { site: SiteId; address: string } | null {
	if (why.kind !== "noService" || portal === null) return null;
	const address = `${portal.replace(/\/+$/, "")}/home/item.html?id=${encodeURIComponent(why.item)}`;
	return { site: id, address };
}
