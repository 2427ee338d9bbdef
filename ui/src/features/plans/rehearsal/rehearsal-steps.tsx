import { Button, List, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type {
	Outcome,
	RehearsalDifference,
	RehearsalStep,
	RehearsalVerdict,
	RehearsalView,
	SiteView,
	StepState,
} from "@/bridge";
import { Board, boardClasses as classes, FactCell } from "@/components/board";
import { CommandButton, ProblemNotice, type Tone } from "@/components/notice";
import { Breakable, Small } from "@/components/text";
import { useDroppedFiles } from "@/lib/dropped-file";
import { formatDuration, formatSize, formatTime, hostAndPathOf } from "@/lib/format";
import { useBring, useNavigation } from "@/lib/navigation";
import { useProofHeadline } from "@/lib/proof-text";
import { useCommand } from "@/lib/use-command";
import { dotted } from "@/messages/isolated";
import { importOf } from "../restore/use-import-step";

/** States of a step whose import can be sent, or sent again. */
const importable: readonly RehearsalStep["state"][] = ["open", "failed", "undone", "otherFile", "unknown"];

/** Steps of a rehearsal. Only the next import can be opened. */
export function RehearsalSteps({ site, view }: { site: SiteView; view: RehearsalView }) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "imports" });
	const skipped = view.begun?.skipped ?? [];
	return (
		<Board kind="restore" label={t("title")} heads={[t("part"), t("onto"), t("state"), t("time"), ""]}>
			{view.steps.map((step) => (
				<StepRow
					key={step.part.server ?? ""}
					site={site}
					step={step}
					hasBegun={view.begun !== null}
					isSkipped={skipped.includes(step.part.server)}
				/>
			))}
		</Board>
	);
}

interface StepRowProps {
	site: SiteView;
	step: RehearsalStep;
	hasBegun: boolean;
	isSkipped: boolean;
}

function StepRow({ site, step, hasBegun, isSkipped }: StepRowProps) {
	const { t } = useTranslation(["rehearsal", "common"]);
	const { part, onto, ontoUrl, state, isNext, back } = step;
	const file = part.copy.kind === "none" ? "" : dotted(nameOf(part.copy), sizeOf(part.copy));
	const headline = useProofHeadline();
	const order = hasBegun && state === "open" ? t(isNext ? "putBack.next" : "putBack.later") : "";
	const found = back === null ? order : headline(back, part.import?.at ?? null);
	const began = part.import === null ? null : formatTime(part.import.began);
	const isOver = part.import !== null && back !== null && state !== "comingBack";
	return (
		<Table.Tr aria-label={part.name} aria-current={isNext || undefined}>
			<Table.Td>
				<Text fw={600}>{part.name}</Text>
				<Small mod="anywhere">
					<Breakable>{file}</Breakable>
				</Small>
			</Table.Td>
			<FactCell
				head={t("imports.onto")}
				dimmed={ontoUrl === ""}
				fact={ontoUrl === "" ? t("imports.nothing") : <Breakable>{hostAndPathOf(ontoUrl)}</Breakable>}
			/>
			<FactCell
				head={t("imports.state")}
				tone={stepOutcome[state]}
				below={found}
				fact={t(`common:receipt.step.${state}`)}
			/>
			<FactCell
				head={t("imports.time")}
				dimmed={!isOver}
				below={began === null ? "" : t(isOver ? "imports.from" : "imports.soFar", { at: began })}
				fact={
					isOver && part.import !== null && back !== null
						? formatDuration(back.checkedAt - part.import.began)
						: t("imports.notYet")
				}
			/>
			<Table.Td>
				<span className={classes.acts}>
					<Acts site={site} step={step} onto={onto} hasBegun={hasBegun} isSkipped={isSkipped} />
				</span>
			</Table.Td>
		</Table.Tr>
	);
}

const nameOf = (copy: Exclude<RehearsalStep["part"]["copy"], { kind: "none" }>) =>
	copy.kind === "here" ? copy.name : copy.location;
const sizeOf = ({ size }: { size: number | null }) => (size === null ? "" : formatSize(size));

function Acts({ site, step, onto, hasBegun, isSkipped }: StepRowProps & { onto: string | null }) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "imports" });
	const { go } = useNavigation();
	const { give } = useDroppedFiles();
	const bring = useBring();
	const { part, state, isNext } = step;
	const { server, name } = part;
	const open = useCommand((backend) => backend.openRehearsalStep(site.id, server), ["openRehearsalStep"], {
		onDone: (opened) => {
			if (opened.kind === "server") {
				go({ page: "operation", site: site.id, server: opened.server, key: importOf("server") });
				give(opened.file);
			} else {
				const parameters = [{ name: "location", value: opened.location }];
				bring({ site: site.id, server: null }, importOf("portal"), { parameters, sentAt: null });
			}
		},
	});
	const skip = useCommand((backend) => backend.skipRehearsalStep(site.id, server, !isSkipped), ["skipRehearsalStep"]);
	const stop = useCommand(
		(backend) => backend.stopSiteCheck(site.id),
		async (stale) => {
			await stale("stopSiteCheck", site.id);
			await stale("skipRehearsalStep");
		},
	);
	const check = useCommand(
		(backend) => backend.checkSiteBack(site.id),
		async (stale) => {
			await stale("checkSiteBack", site.id);
			await stale("skipRehearsalStep");
		},
	);
	const problem = open.error ?? skip.error ?? stop.error ?? check.error;
	const record = part.import?.record ?? null;
	const isUnknown = state === "unknown";
	const canImport = importable.includes(state) && (server === null || onto !== null);
	return (
		<>
			<ProblemNotice problem={problem} site={site} />
			{state === "comingBack" ? (
				<>
					<CommandButton command={check} label={t("again")} aria-label={t("againLabel", { test: site.name })} />
					<CommandButton command={stop} label={t("stopWaiting")} aria-label={t("stopLabel", { test: site.name })} />
				</>
			) : null}
			{canImport && hasBegun && !isSkipped ? (
				<CommandButton
					command={open}
					label={t("open")}
					aria-label={t("openLabel", { part: name })}
					disabled={!isNext}
				/>
			) : null}
			{hasBegun && (isSkipped || (canImport && isNext)) ? (
				<CommandButton
					command={skip}
					label={t(isSkipped ? "unskip" : "skip")}
					aria-label={t(isSkipped ? "unskipLabel" : "skipLabel", { part: name })}
				/>
			) : null}
			{record === null ? null : (
				<Button
					aria-label={t(isUnknown ? "checkLabel" : "resultLabel", { part: name })}
					onClick={() => go({ page: "history", record, ...(isUnknown ? ({ check: true } as const) : {}) })}
				>
					{t(isUnknown ? "check" : "result")}
				</Button>
			)}
		</>
	);
}

/** Differences between the site of the set and the test site, one line each. */
export function Differences({ differences }: { differences: readonly RehearsalDifference[] }) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	return (
		<List spacing={4}>
			{differences.map(({ part, about, set, test }) => (
				<List.Item key={`${part} ${about}`}>
					{t(`difference.${about}`, { part, set: set || t("valueUnknown"), test: test || t("valueUnknown") })}
				</List.Item>
			))}
		</List>
	);
}

/** Outcome whose icon a step shows. A step that was not tried never shows the icon of success. */
export const stepOutcome: Record<StepState, Outcome> = {
	back: "succeeded",
	backBut: "warnings",
	notKnown: "unknown",
	notBack: "warnings",
	skipped: "notSent",
	notPossible: "notSent",
	changed: "failed",
	open: "notSent",
	importing: "sent",
	comingBack: "sent",
	otherFile: "warnings",
	undone: "notSent",
	failed: "failed",
	unknown: "unknown",
};

export const verdictTone: Record<RehearsalVerdict, Tone> = {
	back: "succeeded",
	backBut: "warnings",
	notKnown: "unknown",
	notBack: "warnings",
	incomplete: "warnings",
	failed: "failed",
};
