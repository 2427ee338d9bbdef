import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { IconCertificate } from "@tabler/icons-react";
import { Activity, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type OperationKey,
	type Outcome as OutcomeKind,
	operations,
	type Problem,
	type RecordId,
	type RunResult,
	type SiteView,
} from "@/bridge";
import { useFormFaults } from "@/lib/drafts";
import { formatTime } from "@/lib/format";
import { topicOfOperation } from "@/lib/help";
import { type Place, useNavigation } from "@/lib/navigation";
import { useOperationUis } from "@/lib/operation-ui";
import { useLastEntry } from "@/lib/queries/history";
import type { OperationHandle, OperationState } from "@/lib/runs";
import { serverNameOf, useTargetNameOf } from "@/lib/target";
import { changesSite, useReadOnly } from "@/lib/use-read-only";
import { AfterRun } from "./after-run";
import { NotRecorded } from "./done-at";
import { Foldable } from "./foldable";
import { Notice, ProblemNotice } from "./notice";
import { Outcome, OutcomeIcon } from "./outcome";
import { HelpLink, Page, pageWidths } from "./page";
import { ReadOnly } from "./read-only";
import { RunPanel } from "./run-panel";
import { LinkButton } from "./text";

export type Done<T, F> = Extract<OperationState<T, F>, { kind: "done" }>;

export interface OperationScreenProps<T, F> {
	operation: OperationKey;
	site: SiteView;
	handle: OperationHandle<T, F>;
	/** Width of the form. Results are wide. */
	width?: keyof typeof pageWidths;
	/** Shown above the form, and on a read-only site as well. */
	above?: ReactNode;
	/** Stays mounted behind a problem, so that the input is kept. */
	form: ReactNode;
	/** Returns the report; `null` keeps the form on screen. */
	report: (done: Done<T, F>) => ReactNode;
	/** Part of the response that has arrived; replaces the run. */
	arriving?: ReactNode;
	/** Shows the report below the form instead of in its place, for operations that are repeated often. */
	keepForm?: boolean;
	/** Whether the form was sent as a check, which changes nothing. */
	isCheck?: (form: F) => boolean;
	/** History entries of the run, if they are not its single entry. `null`: could not be written. */
	records?: (done: Done<T, F>) => readonly (RecordId | null)[];
	/** Replaces the notice of a failed import that can be undone; `record` is its history entry. */
	failedImport?: (problem: Problem, record: RecordId) => ReactNode;
	/** Title after Stop before the request, if that does not mean that nothing was sent. */
	notSent?: string;
	/** Explains how to determine an unknown outcome. */
	findOut: (form: F) => string;
	again: string;
	/** Whether `again` offers to repeat the operation, which is wrong while its outcome is unknown. */
	repeats?: boolean;
}

/** Frame of every operation page: the form, then the run, then the report. */
export function OperationScreen<T, F>(props: OperationScreenProps<T, F>) {
	const { operation, site, handle, width = "form", above, form, arriving = null, report, keepForm = false } = props;
	const {
		isCheck = () => false,
		records = ({ record }) => [record],
		findOut,
		again,
		repeats = false,
		failedImport,
	} = props;
	const { t } = useTranslation(["run", "common", "problems"]);
	const { state: latest } = handle;
	const { isFolded, unfold } = useFolded(latest, keepForm);
	// The page opens with the form; an earlier result is one line above it.
	const state: OperationState<T, F> = isFolded ? { kind: "idle" } : latest;
	const target = useTargetNameOf(operation, site);
	const server = serverNameOf(operation, site);
	const { notSent = t("notSent", { site: target }) } = props;
	const { showsList = false } = useOperationUis()[operation];
	/** Server whose certificate was trusted on this page, so that the operation can be started again. */
	const [trusted, setTrusted] = useState<string | null>(null);
	const ended = state.kind === "done" || state.kind === "unknown";
	const atForm = !ended && state.kind !== "running";
	const changesNothing = operations.some(({ key, impact }) => key === operation && impact === "none");
	const left = changesNothing || state.kind !== "done" ? [] : records(state);
	const back = repeats && state.kind === "unknown" && !isCheck(state.form) ? t("backToForm") : again;
	const goBack = () => {
		handle.reset();
		// Start at the top of the form, wherever the button was.
		const content = document.getElementById("content");
		content?.scrollTo?.({ top: 0 });
		content?.focus({ preventScroll: true });
	};
	const refused = useFormFaults(state.kind === "failed" ? state.problem : null);
	const undoable = refused?.kind === "importFailed" && refused.canUndo ? refused.record : null;
	// An operation that only reads has no effect to report.
	const outcome = state.kind === "failed" && !changesNothing ? state.outcome : null;
	const onTrusted = () => {
		if (state.kind !== "failed") return;
		// Operations that only read are repeated at once. The user must send a change again.
		if (changesNothing) return handle.start(state.form);
		setTrusted(state.problem.kind === "certificate" ? state.problem.certificate.server : null);
		handle.reset();
	};
	return (
		<Page
			title={t(`common:operation.${operation}.nav`)}
			beside={server}
			description={t(`common:operation.${operation}.what`)}
			after={
				atForm && !changesNothing ? (
					<LastResult
						operation={operation}
						site={site}
						kept={isFolded && "record" in latest ? { record: latest.record, onShow: unfold } : null}
					/>
				) : null
			}
			width={state.kind === "done" && !keepForm ? "wide" : width}
			actions={
				<>
					{ended && !keepForm ? <Button onClick={goBack}>{back}</Button> : null}
					<HelpLink topic={topicOfOperation(operation)} about={t(`common:operation.${operation}.nav`)} />
				</>
			}
		>
			{refused ? (
				<Focused>
					{undoable !== null && failedImport ? (
						failedImport(refused, undoable)
					) : (
						<ProblemNotice problem={refused} onTrusted={onTrusted} outcome={outcome} />
					)}
				</Focused>
			) : null}
			{trusted !== null && state.kind === "idle" ? (
				<Focused>
					<Notice
						text={t("problems:certificate.trustedDo")}
						tone="succeeded"
						icon={IconCertificate}
						title={t("problems:certificate.trusted", { server: trusted })}
					/>
				</Focused>
			) : null}
			{state.kind === "dismissed" ? (
				<Focused>
					<Notice tone="unknown" title={t("dismissed", { site: target })} />
				</Focused>
			) : null}
			{state.kind === "notSent" ? (
				<Focused>
					{isCheck(state.form) ? (
						<Outcome outcome="notSent" title={t("checkStopped", { site: target })} />
					) : (
						<NotSent title={notSent} backup={state.backup} />
					)}
				</Focused>
			) : null}
			{atForm || keepForm ? above : null}
			{!atForm && !keepForm ? null : changesSite(operation) ? (
				<ChangingForm site={site} readable={showsList}>
					{form}
				</ChangingForm>
			) : (
				form
			)}
			{state.kind === "running" ? (
				<Focused take={!keepForm}>{arriving ?? <RunPanel operation={operation} site={site} state={state} />}</Focused>
			) : null}
			{state.kind === "unknown" && isCheck(state.form) ? (
				<Focused>
					<Notice tone="unknown" title={t("checkStopped", { site: target })} />
				</Focused>
			) : null}
			{state.kind === "unknown" && !isCheck(state.form) ? (
				<Focused>
					<Outcome outcome="unknown" title={t(unknownTitle(state), { site: target })}>
						<Text>
							{t("findOut", { how: findOut(state.form) })} {changesNothing ? null : t("doNotRepeat")}
						</Text>
						{state.canUndo ? <Text>{t("canUndo")}</Text> : null}
						<FindOut record={state.record} />
						{state.problem ? (
							<Foldable title={t("whatStopped")}>
								<ProblemNotice problem={state.problem} outcome="unknown" />
							</Foldable>
						) : null}
					</Outcome>
					{state.record === null && !changesNothing ? <NotRecorded /> : null}
				</Focused>
			) : null}
			{state.kind === "done" ? (
				<Focused reveal={keepForm}>
					{left.includes(null) ? <NotRecorded several={left.length > 1} /> : null}
					{report(state)}
				</Focused>
			) : null}
			{ended ? <AfterRun record={state.record} again={null} /> : null}
		</Page>
	);
}

/** Result that each visit has shown, which Back shows again. */
const shown = new WeakMap<Place, object>();

/** Whether the result is collapsed into one line, because it existed before the page was opened. */
function useFolded(state: OperationState<unknown, unknown>, keepForm: boolean) {
	const { place } = useNavigation();
	const isResult = state.kind === "done" || state.kind === "unknown";
	const [folded, setFolded] = useState<object | null>(() =>
		isResult && !keepForm && shown.get(place) !== state ? state : null,
	);
	const isFolded = folded === state;
	useEffect(() => {
		if (isResult && !isFolded) shown.set(place, state);
	}, [isResult, isFolded, place, state]);
	return { isFolded, unfold: () => setFolded(null) };
}

/**
 * Form that changes the site.
 *
 * While the site is locked, the field to unlock it is shown above readable content, or instead of the form. The form
 * stays mounted with its dialogs and input.
 */
function ChangingForm({ site, readable, children }: { site: SiteView; readable: boolean; children: ReactNode }) {
	const readOnly = useReadOnly(site);
	const ref = useRef<HTMLDivElement>(null);
	const shown = useRef(readOnly);
	useEffect(() => {
		if (shown.current === readOnly) return;
		shown.current = readOnly;
		if (readable && ref.current?.contains(document.activeElement)) return;
		// The focus would be lost with its element, which is hidden or removed.
		ref.current?.focus({ preventScroll: true });
	}, [readOnly, readable]);
	return (
		<div ref={ref} tabIndex={-1} style={{ outline: "none" }}>
			{readOnly ? (
				<Box maw={pageWidths.form} mb={readable ? "md" : 0}>
					<ReadOnly site={site} />
				</Box>
			) : null}
			<Activity mode={readOnly && !readable ? "hidden" : "visible"}>{children}</Activity>
		</div>
	);
}

/** Shown after Stop before the request. If a safety backup was started, it links to its entry. */
function NotSent({ title, backup }: { title: string; backup: RecordId | null }) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	if (backup === null) return <Outcome outcome="notSent" title={title} />;
	return (
		<Outcome outcome="notSent" title={title}>
			<Text>{t("notSentBackup")}</Text>
			<Group>
				<Button onClick={() => go({ page: "history", record: backup })}>{t("showBackup")}</Button>
			</Group>
		</Outcome>
	);
}

/** Distinguishes a response without an outcome from no response. */
function unknownTitle({ stopped, problem }: Extract<RunResult<unknown>, { kind: "unknown" }>) {
	if (stopped) return "stopped";
	return problem !== null && withoutOutcome.has(problem.kind) ? "unreadable" : "lost";
}

/** Problems for which a response did arrive. */
const withoutOutcome: ReadonlySet<Problem["kind"]> = new Set([
	"unreadable",
	"redirected",
	"inFront",
	"signIn",
	"rejected",
]);

/** Button that opens the entry and checks the outcome on the site. */
function FindOut({ record }: { record: RecordId | null }) {
	const { t } = useTranslation("common");
	const { go } = useNavigation();
	if (record === null) return null;
	return (
		<Group>
			<Button variant="filled" onClick={() => go({ page: "history", record, check: true })}>
				{t("operationsPanel.findOut")}
			</Button>
		</Group>
	);
}

interface FocusedProps {
	children: ReactNode;
	/** Scrolls it into view if something is above it. */
	reveal?: boolean;
	/** `false` if the form stays on screen and keeps the focus. */
	take?: boolean;
}

/** Height in pixels that must be visible above the operations panel. */
const minVisible = 180;

/** Takes the focus when it appears, so that keyboard and screen reader start at the result. */
function Focused({ children, reveal = false, take = true }: FocusedProps) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!take) return;
		const news = ref.current;
		// The browser would scroll to the middle of a tall report and hide its first line.
		news?.focus({ preventScroll: true });
		if (reveal) news?.scrollIntoView({ block: "nearest" });
		// In a low or zoomed window, the heading fills the page.
		else if (news && news.getBoundingClientRect().top > window.innerHeight - minVisible) news.scrollIntoView();
	}, [reveal, take]);
	return (
		<Stack ref={ref} tabIndex={-1} style={{ outline: "none" }}>
			{children}
		</Stack>
	);
}

import classes from "./last-result.module.css";

interface LastResultProps {
	operation: OperationKey;
	site: SiteView;
	/** Result that the page still has; `null` if there is none. */
	kept: { record: RecordId | null; onShow: () => void } | null;
}

/** Outcomes that the last result can have. The room for the longest is kept. */
const outcomes: readonly OutcomeKind[] = ["succeeded", "warnings", "failed", "unknown", "notSent"];

/**
 * Last result of the operation, after the description of the page. Its room is the same before and after it is read, so
 * that the form does not move while the user clicks.
 */
function LastResult({ operation, site, kept }: LastResultProps) {
	const { t } = useTranslation(["run", "common"]);
	const { go } = useNavigation();
	const entry = useLastEntry(operation, site);
	const ended = (outcome: OutcomeKind, at: number) => (
		<>
			<OutcomeIcon outcome={outcome} isAtFirstLine />{" "}
			{t("last.ended", { outcome: t(`common:outcome.${outcome}`), at: formatTime(at) })}
		</>
	);
	const isKept = kept !== null && (!entry || kept.record === entry.id);
	return (
		<span className={classes.last}>
			{!entry && !kept ? (
				entry === null && <span>{t("last.never")}</span>
			) : (
				<Text span inherit role="group" aria-label={t("last.label")}>
					{entry ? ended(entry.outcome, entry.endedAt ?? entry.startedAt) : t("last.kept")}{" "}
					<LinkButton
						inherit
						onClick={() => (isKept ? kept.onShow() : entry && go({ page: "history", record: entry.id }))}
					>
						{t("last.show")}
					</LinkButton>
				</Text>
			)}
			{outcomes.map((outcome) => (
				<span key={outcome} aria-hidden className={classes.room}>
					{ended(outcome, 0)} {t("last.show")}
				</span>
			))}
		</span>
	);
}
