import { Button, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useCommand } from "@/lib/use-command";

/** Marks an entry as resolved, for webhooks that were activated by hand or stay deactivated. */
export function ResolveButton({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const [asking, setAsking] = useState(false);
	const resolve = useCommand(
		(backend) => backend.resolveDeactivation(site.id, entry.id),
		(stale) => stale("resolveDeactivation", site.id),
	);
	return (
		<>
			<Button
				leftSection={<IconCheck size={14} aria-hidden />}
				aria-label={t("log.resolveLabel", { service: entry.service })}
				onClick={() => setAsking(true)}
			>
				{t("log.resolve")}
			</Button>
			<Dialog
				opened={asking}
				onClose={() => setAsking(false)}
				title={t("log.resolveLabel", { service: entry.service })}
				confirm={t("log.resolveConfirm")}
				busy={resolve.isPending}
				onConfirm={() => resolve.mutate()}
			>
				<Text>{t("log.resolveBody")}</Text>
				{resolve.error ? <ProblemNotice problem={resolve.error} /> : null}
			</Dialog>
		</>
	);
}
