import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type RecordId, type ReportCounts, type SiteView, useBackend } from "@/bridge";
import { formatTime } from "@/lib/format";
import { parameterOf } from "@/lib/last-parameters";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries";
import { Outcome } from "./outcome";
import { ProblemNotice } from "./problem-notice";

/** Records that can hold the identifier of an import: its own, and those that undid it. */
const few = 5;

interface UndoImportProps {
	site: SiteView;
	/** The import. Its record keeps the way back, also when the answer was lost. */
	record: RecordId;
}

/** Undoes an import with the export that was made before it, once the name of the site is typed. */
export function UndoImport({ site, record }: UndoImportProps) {
	const { t } = useTranslation("run");
	const backend = useBackend();
	const queries = useQueryClient();
	const [asking, { open, close }] = useDisclosure(false);
	const undo = useMutation({
		mutationFn: (typed: string) => backend.undoImport(site.id, crypto.randomUUID(), record, typed),
		onMutate: close,
		onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.history }),
	});
	const end = undo.data?.kind;
	const before = useUndone(site, record);
	return (
		<Stack gap="xs" align="flex-start">
			{undo.data?.kind === "done" ? (
				<Undone site={site} counts={undo.data.report.counts} record={undo.data.record} />
			) : null}
			{before && end !== "done" ? (
				<Text size="sm">{t("undoImport.before", { at: formatTime(before.startedAt) })}</Text>
			) : null}
			{end === "done" ? null : (
				<Button
					variant="default"
					leftSection={<IconArrowBackUp size={16} aria-hidden />}
					loading={undo.isPending}
					onClick={open}
				>
					{t(before ? "undoImport.again" : "undoImport.undo")}
				</Button>
			)}
			{end === "unknown" ? <Outcome outcome="unknown" title={t("undoImport.unknown", { site: site.name })} /> : null}
			{undo.error ? <ProblemNotice problem={undo.error} /> : null}
			{asking ? <Confirm site={site} onClose={close} onConfirm={(typed) => undo.mutate(typed)} /> : null}
		</Stack>
	);
}

/** The newest record that says that this import was undone; `null` when there is none. */
function useUndone(site: SiteView, record: RecordId): HistoryEntry | null {
	const backend = useBackend();
	const search = { text: record, site: site.id, operation: "import_server" as const, username: null };
	const found = useQuery({
		queryKey: [...queryKeys.history, "undone", record],
		queryFn: () =>
			backend.searchHistory({ ...search, outcomes: ["succeeded", "warnings"], from: null, to: null }, null, few),
	});
	return found.data?.entries.find(({ parameters }) => parameterOf(parameters, "undoes") === record) ?? null;
}

interface UndoneProps {
	site: SiteView;
	counts: ReportCounts;
	/** Of the undoing itself. */
	record: RecordId | null;
}

/** It is an import, and can leave services that do not start like any other. */
function Undone({ site, counts, record }: UndoneProps) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	const { failedServices, warnings } = counts;
	if (failedServices + warnings === 0) {
		return <Outcome outcome="succeeded" title={t("undoImport.undone", { site: site.name })} />;
	}
	const title =
		failedServices > 0
			? t("undoImport.undoneFailed", { count: failedServices })
			: t("undoImport.undoneWarned", { count: warnings });
	return (
		<Outcome outcome="warnings" title={title}>
			{record ? (
				<Group>
					<Button size="xs" variant="default" onClick={() => go({ page: "history", record })}>
						{t("undoImport.report")}
					</Button>
				</Group>
			) : null}
		</Outcome>
	);
}

interface ConfirmProps {
	site: SiteView;
	onClose: () => void;
	onConfirm: (typed: string) => void;
}

/** It is an import again: what it replaces does not come back. */
function Confirm({ site, onClose, onConfirm }: ConfirmProps) {
	const { t } = useTranslation(["run", "common"]);
	const [typed, setTyped] = useState("");
	const toType = site.kind === "practice" ? "" : site.name;
	return (
		<Modal
			opened
			onClose={onClose}
			title={t("undoImport.ask", { site: site.name })}
			closeButtonProps={{ "aria-label": t("common:action.close") }}
		>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (typed.trim() === toType) onConfirm(typed);
				}}
			>
				<Stack>
					<Text size="sm">{t("undoImport.what", { site: site.name })}</Text>
					{toType ? (
						<TextInput
							label={t("undoImport.type", { text: toType })}
							spellCheck={false}
							autoComplete="off"
							data-autofocus
							value={typed}
							onChange={(event) => setTyped(event.currentTarget.value)}
						/>
					) : null}
					<Group justify="flex-end" gap="xs">
						<Button variant="default" onClick={onClose}>
							{t("common:action.cancel")}
						</Button>
						<Button type="submit" color="red" disabled={typed.trim() !== toType}>
							{t("undoImport.confirm")}
						</Button>
					</Group>
				</Stack>
			</form>
		</Modal>
	);
}
