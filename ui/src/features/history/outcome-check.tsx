import { Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type CheckFact,
	type OutcomeCheck as Findings,
	type HistoryEntry,
	type Outcome,
	type Problem,
	type SiteId,
	type UnsavedInvitationId,
	useBackend,
} from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { CommandButton, ProblemNotice } from "@/components/notice";
import { formatDateTime, formatList, formatNumber, formatSize } from "@/lib/format";
import { forgetUnseenHistory, useOutcomeResolution } from "@/lib/queries/history";
import { usePractice, useSites } from "@/lib/queries/program";
import { useEndedRuns, useRunStore } from "@/lib/runs";
import { useStale } from "@/lib/use-command";
import { usePracticeStart } from "@/lib/use-practice-start";
import { useSaveInvitation } from "@/lib/use-saving";

interface OutcomeCheckProps extends SetOutcomeProps {
	/** Whether the outcome is checked at once. A check only reads, so it needs no confirmation. */
	atOnce: boolean;
}

interface SetOutcomeProps {
	entry: HistoryEntry;
	/** Called when the outcome is left unknown; closes the details. */
	onLeave: () => void;
}

/** Check of an unknown outcome: what the site shows now, and buttons to set the outcome. */
export function OutcomeCheck({ entry, atOnce, onLeave }: OutcomeCheckProps) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	// The form to set the outcome stays while the check is repeated.
	const [isChecked, setChecked] = useState(false);
	const check = useMutation({
		mutationFn: () => backend.checkOutcome(entry.id),
		onSuccess: () => setChecked(true),
	});
	const { mutate } = check;
	useEffect(() => {
		if (atOnce) mutate();
	}, [atOnce, mutate]);
	const start = usePracticeStart();
	const isStopped = useIsPracticeStopped(entry.site) || start.isPending;
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton
				command={check}
				label={t("details.check")}
				variant={check.isIdle || check.isPending ? "filled" : "default"}
			/>
			{isStopped && (check.error || check.data) ? (
				<PracticeStopped
					problem={start.error}
					starting={start.isPending}
					onStart={() => start.mutate("stay", { onSuccess: () => check.mutate() })}
				/>
			) : (
				<>
					<ProblemNotice problem={check.error} onRetry={() => check.mutate()} />
					{check.data ? <Found site={entry.site} check={check.data} ended={start.isSuccess} /> : null}
				</>
			)}
			{isChecked ? <SetOutcome entry={entry} onLeave={onLeave} /> : null}
		</Stack>
	);
}

/**
 * Whether the site of an entry is the practice site, and it is not running. It stops with the app, even after a crash.
 */
function useIsPracticeStopped(site: SiteId): boolean {
	const practice = usePractice();
	const kind = useSites().data?.find(({ id }) => id === site)?.environment;
	return kind === "practice" && practice.data === null;
}

function PracticeStopped(props: { problem: Problem | null; starting: boolean; onStart: () => void }) {
	const { t } = useTranslation("history");
	return (
		<Stack gap="xs" align="flex-start" role="status">
			<Text>{t("details.practiceStopped")}</Text>
			<Button variant="filled" loading={props.starting} onClick={props.onStart}>
				{t("details.startPractice")}
			</Button>
			<ProblemNotice problem={props.problem} />
		</Stack>
	);
}

interface FoundProps {
	site: SiteId;
	check: Findings;
	/** Whether the site is known to have restarted since, so that the request is not running any more. */
	ended: boolean;
}

function Found({ site, check, ended }: FoundProps) {
	const { t } = useTranslation("history");
	const words = useFactWords();
	return (
		<Stack gap="xs" role="status">
			<Text fw={600}>{t("details.found")}</Text>
			<List mod="anywhere">
				{check.facts.map((fact) => (
					<List.Item key={words(fact)}>
						{words(fact)}
						{fact.kind === "invitation" && fact.kept ? <SaveInvitation site={site} kept={fact.kept} /> : null}
						{fact.kind === "siteSilent" || fact.kind === "notSeen" ? <ProblemNotice problem={fact.problem} /> : null}
					</List.Item>
				))}
			</List>
			<Text>
				{t(`details.suggestion.${ended && check.suggestion === "unclear" ? "unclearEnded" : check.suggestion}`)}
			</Text>
		</Stack>
	);
}

function SaveInvitation({ site, kept }: { site: SiteId; kept: UnsavedInvitationId }) {
	const { t } = useTranslation("history");
	const saveInvitation = useSaveInvitation(site);
	const save = useMutation({ mutationFn: () => saveInvitation(kept) });
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton command={save} label={t("details.saveInvitation")} variant="filled" />
			<ProblemNotice problem={save.error} />
			{save.data?.kind === "failed" ? <ProblemNotice problem={save.data.problem} /> : null}
			{save.data?.kind === "saved" ? <CopyField value={save.data.file.path} isPath /> : null}
		</Stack>
	);
}

function SetOutcome({ entry, onLeave }: SetOutcomeProps) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const [note, setNote] = useState("");
	const runs = useRunStore();
	const ended = useEndedRuns();
	const set = useMutation({
		mutationFn: (outcome: Outcome) => backend.setOutcome(entry.id, outcome, note),
		onSuccess: async () => {
			// Removes the run from the operations panel, because its outcome is known.
			for (const run of ended) if (run.record === entry.id) runs.dismiss(run.id);
			// The entry might now match searches that did not contain it.
			forgetUnseenHistory(queries);
			await stale("setOutcome", entry.id);
		},
	});
	return (
		<Stack gap="xs" w="100%">
			<Text fw={600}>{t("details.setOutcome")}</Text>
			<TextInput
				label={t("details.setOutcomeNote")}
				spellCheck
				value={note}
				onChange={(event) => setNote(event.currentTarget.value)}
			/>
			<Group gap="xs">
				<Button loading={set.isPending} onClick={() => set.mutate("succeeded")}>
					{t("details.setSucceeded")}
				</Button>
				<Button loading={set.isPending} onClick={() => set.mutate("failed")}>
					{t("details.setFailed")}
				</Button>
				<Button disabled={set.isPending} onClick={() => set.mutate("unknown", { onSuccess: onLeave })}>
					{t("details.leaveUnknown")}
				</Button>
			</Group>
			<ProblemNotice problem={set.error} />
		</Stack>
	);
}

/** User who set the outcome of an entry without a response. */
export function OutcomeResolution({ entry }: { entry: HistoryEntry }) {
	const { t } = useTranslation("history");
	const resolution = useOutcomeResolution(entry.id);
	if (!resolution.data) return null;
	const { by, at, note } = resolution.data;
	return (
		<Stack gap={2}>
			<Text>{t("details.outcomeSet", { by: by || t("details.unsigned"), at: formatDateTime(at) })}</Text>
			{note ? <Text>{note}</Text> : null}
		</Stack>
	);
}

function useFactWords(): (fact: CheckFact) => string {
	const { t } = useTranslation("history");
	return (fact) => {
		switch (fact.kind) {
			case "siteAnswers":
				return t(`details.fact.${fact.version ? "siteAnswersVersion" : "siteAnswers"}`, { version: fact.version });
			case "fileHere": {
				const about = { path: fact.path, size: formatSize(fact.size) };
				return fact.whole ? t("details.fact.fileWhole", about) : t("details.fact.fileNotWhole", about);
			}
			case "portalContent": {
				const number = (count: number | null) => (count === null ? "–" : formatNumber(count));
				const { items, users, groups } = fact;
				return t("details.fact.portalContent", { items: number(items), users: number(users), groups: number(groups) });
			}
			case "webhooks":
				return t("details.fact.webhooks", { ...fact, active: fact.active.length, inactive: fact.silent.length });
			case "contact": {
				const who = formatList([`${fact.firstname} ${fact.lastname}`, fact.email]);
				return fact.asSent ? t("details.fact.contactAsSent", { who }) : t("details.fact.contactOther", { who });
			}
			case "invitation": {
				if (fact.expiration === null) return t("details.fact.invitationNoEnd");
				const at = formatDateTime(fact.expiration);
				return fact.refreshed ? t("details.fact.invitationRefreshed", { at }) : t("details.fact.invitationOld", { at });
			}
			default:
				return t(`details.fact.${fact.kind}`, { ...fact });
		}
	};
}
