import { Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { LinkButton } from "@/components/text";
import { useDeactivations, useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { DeactivationLog } from "./deactivation-log";
import { ReactivateAll } from "./reactivate-all";
import { useLog } from "./use-log";
import type { AskToReactivate } from "./use-reactivation";

interface LogLinkProps {
	site: SiteView;
	reactivate: AskToReactivate;
}

/**
 * Link that expands the deactivation log below the list. It is expanded initially if the list lacks the service of an
 * open entry, which would otherwise be hidden.
 */
export function LogLink({ site, reactivate }: LogLinkProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = serverOf(site);
	const log = useLog(site);
	const { error, isPending, errorUpdateCount } = useDeactivations(target);
	// Includes a repeated read after a failure: the log reads again when it is expanded.
	const hasFailed = error !== null || (isPending && errorUpdateCount > 0);
	const services = useServices(target, { enabled: false });
	const [chosen, setChosen] = useState<boolean | null>(null);
	const listed = new Set(services.error ? [] : (services.data ?? []).map(({ path }) => path));
	const isOpen = chosen ?? (hasFailed || (!services.isPending && log.open.some(({ service }) => !listed.has(service))));
	if (log.entries.length === 0 && !hasFailed) return null;
	return (
		<Stack gap="sm">
			<Group justify="space-between" gap="xs">
				<LinkButton aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
					{t("log.link", { count: log.open.length })}
				</LinkButton>
				{log.left.length > 1 ? <ReactivateAll entries={log.left} reactivate={reactivate} /> : null}
			</Group>
			{reactivate.problem ? <ProblemNotice problem={reactivate.problem} /> : null}
			{isOpen ? <DeactivationLog site={site} reactivate={reactivate} /> : null}
		</Stack>
	);
}
