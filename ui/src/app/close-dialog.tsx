import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CloseAnswer, useBackend } from "@/bridge";
import { useRuns } from "@/lib/runs";

/** Asked when somebody closes the window while something runs. */
export function CloseDialog() {
	const { t } = useTranslation();
	const backend = useBackend();
	const runs = useRuns();
	const [asked, setAsked] = useState(false);
	useEffect(() => backend.onCloseAsked(() => setAsked(true)), [backend]);
	useEffect(() => {
		// The program closes a window that does not say that it asks.
		if (asked) backend.answerClose("asking").catch(() => {});
	}, [asked, backend]);
	const answer = (said: CloseAnswer) => {
		setAsked(false);
		backend.answerClose(said).catch(() => {});
	};
	return (
		<Modal
			opened={asked}
			onClose={() => answer("stay")}
			title={runs.length > 0 ? t("close.title", { count: runs.length }) : t("close.titleEnded")}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<Stack>
				{runs.length > 0 ? (
					<>
						<List size="sm">
							{runs.map((run) => (
								<List.Item key={run.id}>
									{t("dock.run", { operation: t(`operation.${run.operation}.name`), site: run.siteName })}
								</List.Item>
							))}
						</List>
						<Text size="sm">{t("close.body")}</Text>
					</>
				) : (
					<Text size="sm">{t("close.bodyEnded")}</Text>
				)}
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={() => answer("stay")} data-autofocus>
						{t("close.stay")}
					</Button>
					<Button color={runs.length > 0 ? "red" : "blue"} onClick={() => answer("close")}>
						{runs.length > 0 ? t("close.anyway") : t("close.now")}
					</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
