import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { RecoveryNotice } from "@/components/recovery-notice";
import { formatList } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";
import type { RecoveryProps } from "@/lib/operation-ui";
import { useDeactivations, useServices } from "@/lib/queries/site";
import { isGone } from "./use-reactivation";

/** Returns the services whose webhooks a history entry deactivated. */
function deactivatedIn({ summary, operation, parameters }: HistoryEntry): readonly string[] {
	if (summary?.kind === "deactivation") return summary.services;
	return operation === "deactivate_webhook" ? [parameterOf(parameters, "service")] : [];
}

/** Links a history entry to its open deactivations. */
export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history");
	const { go } = useNavigation();
	const services = deactivatedIn(entry);
	const target = { site: site.id, server: entry.server };
	const log = useDeactivations(target).data ?? [];
	// Cached services: the history sends no request to a server.
	const known = useServices(target, { enabled: false });
	// Webhooks that were activated outside of the app leave nothing to reactivate.
	const open = log.filter(
		({ record, service, resolvedAt, left }) =>
			resolvedAt === null && record === entry.id && services.includes(service) && left?.length !== 0,
	);
	if (open.length === 0) return null;
	const left = open.filter(({ service }) => !isGone(known.error ? undefined : known.data, service));
	if (left.length === 0) {
		return (
			<RecoveryNotice
				title={t("details.recovery.gone", { count: open.length })}
				text={t("details.recovery.goneWhat", { services: formatList(open.map(({ service }) => service)) })}
			/>
		);
	}
	return (
		<RecoveryNotice
			title={t("details.recovery.reactivate", { count: left.length })}
			text={t("details.recovery.reactivateWhat")}
		>
			<Button onClick={() => go({ page: "operation", ...target, key: "deactivate_webhooks" })}>
				{t("details.recovery.toWebhooks")}
			</Button>
		</RecoveryNotice>
	);
}
