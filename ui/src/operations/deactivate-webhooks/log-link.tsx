import { Anchor, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { useDeactivations, useLogComparison, useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { DeactivationLog } from "./deactivation-log";
import { ReactivateAll } from "./reactivate-all";
import type { Actions } from "./use-actions";
import { useLog } from "./use-log";
import type { AskToReactivate } from "./use-reactivation";

interface LogLinkProps {
	site: SiteView;
	actions: Actions;
	reactivate: AskToReactivate;
}

/**
 * Opens the deactivation log below the list. It is open at first where an entry has no line in the list, which would hide
 * that something is still deactivated.
 */
export function LogLink({ site, actions: { reactivateAll }, reactivate }: LogLinkProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = serverOf(site);
	const log = useLog(site);
	const { error } = useDeactivations(target);
	const services = useServices(target, { enabled: false });
	const compare = useLogComparison(target);
	const [chosen, setChosen] = useState<boolean | null>(null);
	const listed = new Set(services.error ? [] : (services.data ?? []).map(({ path }) => path));
	const isOpen = chosen ?? (!services.isPending && log.open.some(({ service }) => !listed.has(service)));
	if (log.entries.length === 0 && !error) return null;
	return (
		<Stack gap="sm">
			<Group justify="space-between" gap="xs">
				<Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
					{t("log.link", { count: log.open.length })}
				</Anchor>
				{log.left.length > 1 && reactivate.ask ? (
					<ReactivateAll
						site={site}
						entries={log.left}
						label={t("reactivationOfAll.open", { count: log.left.length })}
						busy={reactivate.busy}
						compare={compare}
						onReactivate={reactivateAll.start}
					/>
				) : null}
			</Group>
			{reactivate.problem ? <ProblemNotice problem={reactivate.problem} /> : null}
			{isOpen || error ? <DeactivationLog site={site} reactivate={reactivate} /> : null}
		</Stack>
	);
}
