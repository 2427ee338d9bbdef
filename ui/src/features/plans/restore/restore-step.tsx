import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServerId, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { LinkButton } from "@/components/text";
import { useNavigation } from "@/lib/navigation";
import { useSiteRestore } from "@/lib/queries/plans";
import type { SetOfPlan } from "@/lib/visits";
import { usePartName } from "../shown/part-state";
import { isOpen } from "./restore-page";
import { useImportStep } from "./use-import-step";

interface RestoreStepProps {
	site: SiteView;
	/** Server that the page imports into; `null` for the portal. */
	server: ServerId | null;
	ofSet: SetOfPlan;
}

/**
 * Step of a restore, above the page of its import, and the way to the next one once it is done. Renders nothing if the
 * set led to the page without a restore.
 */
export function RestoreStep({ site, server, ofSet: { plan, set } }: RestoreStepProps) {
	const { t } = useTranslation("plans", { keyPrefix: "restore" });
	const { go } = useNavigation();
	const nameOf = usePartName(site);
	const { begun = null, steps = [] } = useSiteRestore(plan, set).data ?? {};
	const lead = useImportStep(site, plan, set);
	const at = steps.findIndex((step) => step.server === server);
	const step = steps[at];
	if (begun === null || step === undefined) return null;
	const next = isOpen(step) ? undefined : steps.find(isOpen);
	return (
		<>
			<Group component="section" aria-label={t("title", { site: site.name })} gap="sm" mb="sm">
				<Text fw={600}>{t("stepOf", { step: at + 1, total: steps.length })}</Text>
				<LinkButton onClick={() => go({ page: "backup-set", site: site.id, plan, set, restore: true })}>
					{t("allSteps")}
				</LinkButton>
				{next ? (
					<Button variant="filled" loading={lead.isPending} onClick={() => lead.mutate(next)}>
						{t("nextStep", { part: nameOf(next) })}
					</Button>
				) : null}
			</Group>
			<ProblemNotice problem={lead.error} />
		</>
	);
}
