import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import type { OperationState } from "@/lib/run-store";
import { unavailableAdvice, unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import { HideResult } from "./hide-result";
import { NotRecorded } from "./not-recorded";
import { Outcome } from "./outcome";
import { ProblemNotice } from "./problem-notice";

interface UndoProps {
	site: SiteView;
	/** State of the undo of this import; idle if another import is undone. */
	end: OperationState<unknown, unknown>;
	/** Whether the undo succeeded and its result is shown. */
	isDone: boolean;
	running: boolean;
	/** Whether the import was undone before. */
	isAgain: boolean;
	/** Titles of the outcomes, which differ between portal and server. */
	unknown: string;
	notSent: string;
	onHide: () => void;
	/** Returns the dialog; `close` closes it. */
	question: (close: () => void) => ReactNode;
}

/** Button that undoes an import, its dialog, and the outcome unless it succeeded. */
export function Undo({ site, end, isDone, running, isAgain, unknown, notSent, onHide, question }: UndoProps) {
	const { t } = useTranslation("run");
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	return (
		<>
			{isDone ? null : (
				<Button
					leftSection={<IconArrowBackUp size={16} aria-hidden />}
					loading={running}
					disabled={readOnly}
					onClick={open}
				>
					{t(isAgain ? "undoImport.again" : "undoImport.undo")}
				</Button>
			)}
			{readOnly && !isDone ? (
				<Text>
					{unavailableText(common, { kind: "readOnly" })} {unavailableAdvice(common, { kind: "readOnly" })}
				</Text>
			) : null}
			{end.kind === "unknown" ? <Outcome outcome="unknown" title={unknown} /> : null}
			{end.kind === "notSent" ? <Outcome outcome="notSent" title={notSent} /> : null}
			{((end.kind === "done" && isDone) || end.kind === "unknown") && end.record === null ? <NotRecorded /> : null}
			{end.kind === "failed" ? <ProblemNotice problem={end.problem} outcome={end.outcome} /> : null}
			{end.kind === "unknown" || end.kind === "notSent" || end.kind === "failed" ? (
				<HideResult onHide={onHide} />
			) : null}
			{asking && !readOnly ? question(close) : null}
		</>
	);
}
