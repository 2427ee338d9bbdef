import { Button, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type SiteView, useBackend } from "@/bridge";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { queryKeys } from "@/lib/queries";

/** The export that was made before an import is imported: also after an import whose answer was lost. */
export function UndoImport({ entry, site }: { entry: HistoryEntry; site: SiteView }) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const queries = useQueryClient();
	const [typed, setTyped] = useState("");
	const undo = useMutation({
		mutationFn: () => backend.undoImport(site.id, crypto.randomUUID(), entry.id, typed),
		onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.history }),
	});
	const toType = site.kind === "practice" ? "" : site.name;
	const send = (event: FormEvent) => {
		event.preventDefault();
		undo.mutate();
	};
	return (
		<Paper withBorder p="md" component="section" aria-label={t("undo.title")}>
			<Stack gap="xs" component="form" onSubmit={send}>
				<Title order={3} size="h4">
					{t("undo.title")}
				</Title>
				<Text size="sm">{t("undo.body", { site: site.name })}</Text>
				{toType ? (
					<TextInput
						label={t("undo.type", { text: toType })}
						spellCheck={false}
						autoComplete="off"
						value={typed}
						onChange={(event) => setTyped(event.currentTarget.value)}
					/>
				) : null}
				<Button
					type="submit"
					color="red"
					loading={undo.isPending}
					disabled={typed.trim() !== toType || undo.data?.kind === "done"}
					style={{ alignSelf: "flex-start" }}
				>
					{t("undo.button", { site: site.name })}
				</Button>
				{undo.data?.kind === "done" ? (
					<Outcome outcome="succeeded" title={t("undo.done", { site: site.name })} />
				) : null}
				{undo.data?.kind === "unknown" ? <Outcome outcome="unknown" title={t("undo.unknown")} /> : null}
				{undo.error ? <ProblemNotice problem={undo.error} /> : null}
			</Stack>
		</Paper>
	);
}
