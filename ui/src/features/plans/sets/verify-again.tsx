import { Button, Progress, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type BackupPlan, type ServerId, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { formatNumber, formatSize } from "@/lib/format";
import { useSetVerification } from "@/lib/queries/plans";
import { useStale } from "@/lib/stale";

interface VerifyAgainProps {
	plan: BackupPlan;
	set: string;
	server: ServerId;
	/** Name of the server. */
	name: string;
}

/** Verifies the file of a server once more, with the progress, and a button that stops it. */
export function VerifyAgain({ plan, set, server, name }: VerifyAgainProps) {
	const { t } = useTranslation("plans", { keyPrefix: "verifyAgain" });
	const backend = useBackend();
	const stale = useStale();
	const verify = useMutation({
		mutationFn: () => backend.verifySetFile(plan.id, set, server),
		onSettled: () => stale("verifySetFile", plan.site),
	});
	const stop = useMutation({ mutationFn: () => backend.stopSetVerification() });
	const running = useSetVerification(verify.isPending).data ?? null;
	const isThis = running?.plan === plan.id && running.set === set && running.server === server;
	const end = verify.data;
	return (
		<Stack gap={4} align="flex-end">
			{isThis ? (
				<Button aria-label={t("stopLabel", { part: name })} loading={stop.isPending} onClick={() => stop.mutate()}>
					{t("stop")}
				</Button>
			) : (
				<Button
					aria-label={t("verifyLabel", { part: name })}
					loading={verify.isPending}
					disabled={running !== null}
					onClick={() => verify.mutate()}
				>
					{t("verify")}
				</Button>
			)}
			{isThis ? (
				<Stack gap={2} w={160}>
					<Progress
						value={(running.done / Math.max(1, running.total)) * 100}
						aria-label={t("progress", { part: name })}
					/>
					<Text size="xs" c="dimmed" ta="end">
						{t("done", { done: formatSize(running.done), total: formatSize(running.total) })}
					</Text>
				</Stack>
			) : null}
			<Text size="xs" role="status" ta="end">
				{end === undefined || verify.isPending
					? ""
					: end.kind === "partlyVerified"
						? t("end.partlyVerified", {
								count: end.unverifiedEntries,
								formatted: formatNumber(end.unverifiedEntries),
							})
						: t(`end.${end.kind}`)}
			</Text>
			{verify.error ? <ProblemNotice problem={verify.error} /> : null}
		</Stack>
	);
}
