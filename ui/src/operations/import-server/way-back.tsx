import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend, type WayBack as WayBackView } from "@/bridge";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { formatSize, formatTime } from "@/lib/format";

interface WayBackProps {
	site: SiteView;
	record: string;
	wayBack: WayBackView;
}

/** The export that was made before the import, and the one command that brings it back. */
export function WayBack({ site, record, wayBack }: WayBackProps) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const [typed, setTyped] = useState("");
	const undo = useMutation({
		mutationFn: () => backend.undoImport(site.id, crypto.randomUUID(), record, typed),
	});
	const toType = site.kind === "practice" ? "" : site.name;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("wayBack.title")}>
			<Stack gap="xs">
				<Title order={3} size="h5">
					{t("wayBack.title")}
				</Title>
				<Text size="sm">{t("wayBack.body", { at: formatTime(wayBack.takenAt), size: formatSize(wayBack.size) })}</Text>
				{wayBack.saved ? (
					<Text size="sm" style={{ overflowWrap: "anywhere" }}>
						{t("wayBack.saved", { path: wayBack.saved.path })}
					</Text>
				) : null}
				{undo.data?.kind === "done" ? (
					<Outcome outcome="succeeded" title={t("wayBack.undone")} />
				) : (
					<Group align="flex-end">
						{toType ? (
							<TextInput
								label={t("wayBack.type", { text: toType })}
								spellCheck={false}
								autoComplete="off"
								value={typed}
								onChange={(event) => setTyped(event.currentTarget.value)}
							/>
						) : null}
						<Button
							variant="default"
							loading={undo.isPending}
							disabled={typed.trim() !== toType}
							onClick={() => undo.mutate()}
						>
							{t("wayBack.undo")}
						</Button>
					</Group>
				)}
				{undo.data?.kind === "unknown" ? <Outcome outcome="unknown" title={t("wayBack.unknown")} /> : null}
				{undo.error ? <ProblemNotice problem={undo.error} /> : null}
			</Stack>
		</Paper>
	);
}
