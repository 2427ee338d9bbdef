import { Button, Group, Modal, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
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
	const [asking, { open, close }] = useDisclosure(false);
	const undo = useMutation({
		mutationFn: (typed: string) => backend.undoImport(site.id, crypto.randomUUID(), record, typed),
		onMutate: close,
	});
	const undone = undo.data?.kind === "done";
	return (
		<Stack gap="xs" maw={720}>
			<Paper withBorder p="md" component="section" aria-label={t("wayBack.title")}>
				<Group justify="space-between" align="center" gap="md">
					<Stack gap={2} flex="1 1 300px" miw={0}>
						<Title order={2} size="h5">
							{t("wayBack.title")}
						</Title>
						<Text size="sm">
							{t("wayBack.body", { at: formatTime(wayBack.takenAt), size: formatSize(wayBack.size) })}
						</Text>
						{wayBack.saved ? (
							<Text size="sm" style={{ overflowWrap: "anywhere" }}>
								{t("wayBack.saved", { path: wayBack.saved.path })}
							</Text>
						) : null}
					</Stack>
					{undone ? null : (
						<Button
							variant="default"
							leftSection={<IconArrowBackUp size={16} aria-hidden />}
							loading={undo.isPending}
							onClick={open}
						>
							{t("wayBack.undo")}
						</Button>
					)}
				</Group>
			</Paper>
			{undone ? <Outcome outcome="succeeded" title={t("wayBack.undone")} /> : null}
			{undo.data?.kind === "unknown" ? <Outcome outcome="unknown" title={t("wayBack.unknown")} /> : null}
			{undo.error ? <ProblemNotice problem={undo.error} /> : null}
			<Confirm site={site} opened={asking} onClose={close} onConfirm={(typed) => undo.mutate(typed)} />
		</Stack>
	);
}

interface ConfirmProps {
	site: SiteView;
	opened: boolean;
	onClose: () => void;
	onConfirm: (typed: string) => void;
}

/** An import again: what it replaces does not come back, so the name is typed. */
function Confirm({ site, opened, onClose, onConfirm }: ConfirmProps) {
	const { t } = useTranslation(["importServer", "common"]);
	const [typed, setTyped] = useState("");
	const toType = site.kind === "practice" ? "" : site.name;
	return (
		<Modal
			opened={opened}
			onClose={onClose}
			title={t("wayBack.ask", { site: site.name })}
			closeButtonProps={{ "aria-label": t("common:action.close") }}
		>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (typed.trim() === toType) onConfirm(typed);
				}}
			>
				<Stack>
					<Text size="sm">{t("wayBack.what", { site: site.name })}</Text>
					{toType ? (
						<TextInput
							label={t("wayBack.type", { text: toType })}
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
							{t("wayBack.confirm")}
						</Button>
					</Group>
				</Stack>
			</form>
		</Modal>
	);
}
