import { VisuallyHidden } from "@mantine/core";
import { IconCircleDashed } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OpenPart, Outcome, ProofLine, ProofState, SiteId, SiteProof, SiteView } from "@/bridge";
import { useOpenPartText, useProofFact, waits } from "@/lib/proof-text";
import { useCommand } from "@/lib/use-command";
import { ProblemNotice } from "./notice";
import { Fact, OutcomeIcon } from "./outcome";
import classes from "./proof-lines.module.css";
import { LinkButton, Small } from "./text";

/** Maximum number of open parts below a line; further ones are counted. */
const named = 5;

const outcomes: Record<ProofState, Outcome> = {
	done: "succeeded",
	wrong: "failed",
	notKnown: "unknown",
	notYet: "sent",
};

interface ProofLinesProps {
	/** Site of the check. Links to its items are omitted if it is `null`. */
	site: SiteView | null;
	proof: SiteProof;
	/** Lines to show. The check can have further ones. */
	lines: readonly ProofLine[];
	/** Further rows, below the lines. */
	children?: ReactNode;
}

/** Lines of the check of a whole site: what each found, and its open parts. */
export function ProofLines({ site, proof, lines, children }: ProofLinesProps) {
	const { t } = useTranslation("siteProof");
	const factOf = useProofFact();
	return (
		<ProofList>
			{lines.map((line) => {
				const state = waits(line) ? "waits" : line.state;
				return (
					<Fact key={line.about} name={t(`line.${line.about}`)}>
						<span className={classes.icon}>
							{state === "waits" ? (
								<IconCircleDashed size={16} color="var(--mantine-color-dimmed)" aria-hidden />
							) : (
								<OutcomeIcon outcome={outcomes[state]} />
							)}
						</span>
						<VisuallyHidden>{t("stateOf", { state: t(`state.${state}`) })}</VisuallyHidden>
						{factOf(line, proof)}
						<Open site={site} line={line} />
					</Fact>
				);
			})}
			{children}
		</ProofList>
	);
}

/** Facts beside lines of a check, aligned with them. */
export function ProofList({ children }: { children: ReactNode }) {
	return (
		<div className={classes.frame}>
			<dl className={classes.lines}>{children}</dl>
		</div>
	);
}

function Open({ site, line }: { site: SiteView | null; line: ProofLine }) {
	const { t } = useTranslation("siteProof");
	const textOf = useOpenPartText();
	// A text that the portal and a server share is shown once.
	const texts = line.open.map(textOf);
	const open = line.open.filter((part, at) => !isInLine(part) && texts.indexOf(texts[at] ?? "") === at);
	const left = Math.max(0, open.length - named) + line.more;
	return (
		<>
			{open.slice(0, named).map((part) => (
				<Part key={`${part.server} ${part.name} ${part.why.kind}`} site={site} part={part} />
			))}
			{left > 0 ? <Small>{t("more", { count: left })}</Small> : null}
		</>
	);
}

/** Whether the line itself states all facts of a part. It does for the item index until its rate is known. */
function isInLine({ name, why }: OpenPart): boolean {
	return why.kind === "behind" && name === "search" && why.left === null;
}

function Part({ site, part }: { site: SiteView | null; part: OpenPart }) {
	const { t } = useTranslation("siteProof");
	const textOf = useOpenPartText();
	const open = useCommand((backend, page: { site: SiteId; address: string }) =>
		backend.openLink(page.site, page.address),
	);
	const page = site === null ? null : itemPage(site, part);
	return (
		<Small component="div">
			{textOf(part)}
			{page === null ? null : (
				<>
					{" "}
					<LinkButton size="xs" onClick={() => open.mutate(page)}>
						{t("openItem")}
					</LinkButton>
				</>
			)}
			<ProblemNotice problem={open.error} />
		</Small>
	);
}

/** Returns the page of the item that a part is about; `null` for other parts. */
function itemPage({ id, portal }: SiteView, { why }: OpenPart): { site: SiteId; address: string } | null {
	if (why.kind !== "noService" || portal === null) return null;
	const address = `${portal.replace(/\/+$/, "")}/home/item.html?id=${encodeURIComponent(why.item)}`;
	return { site: id, address };
}
