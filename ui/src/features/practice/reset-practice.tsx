import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { Outcome } from "@/components/outcome";
import { Card } from "@/components/section";
import { useForgetDrafts } from "@/lib/drafts";
import { administrator } from "@/lib/practice-administrator";
import { setSession } from "@/lib/queries/session";
import { useRunStore } from "@/lib/runs";
import { useStale } from "@/lib/stale";

export function ResetPractice() {
	const { t } = useTranslation("faultInjection");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const runs = useRunStore();
	const forgetDrafts = useForgetDrafts();
	const [asking, ask] = useDisclosure(false);
	const reset = useMutation({
		mutationFn: async () => {
			const practice = await backend.resetPractice();
			return backend.signInToPractice(administrator(practice.users).username);
		},
		onSuccess: async (session) => {
			setSession(queries, session);
			// Results and drafts refer to data that no longer exists.
			runs.forget(session.site);
			forgetDrafts(session.site);
			ask.close();
			await stale("resetPractice");
		},
	});
	return (
		<Card title={t("reset.title")} align="flex-start">
			<Text>{t("reset.body")}</Text>
			<Button onClick={ask.open}>{t("reset.button")}</Button>
			{reset.data && !asking ? <Outcome outcome="succeeded" title={t("reset.done")} /> : null}
			<Dialog
				opened={asking}
				onClose={ask.close}
				title={t("reset.ask")}
				confirm={t("reset.confirm")}
				irreversible
				command={reset}
				onConfirm={() => reset.mutate()}
			>
				<Text>{t("reset.consequence")}</Text>
			</Dialog>
		</Card>
	);
}
