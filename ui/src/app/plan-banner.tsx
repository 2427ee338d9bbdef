import { Box, Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { PlanTrouble, SiteView } from "@/bridge";
import { CommandButton, Notice, ProblemNotice } from "@/components/notice";
import { Small } from "@/components/text";
import { type Place, useNavigation } from "@/lib/navigation";
import { usePlanText } from "@/lib/plan-text";
import { usePlanTroubles } from "@/lib/queries/plans";
import { useCommand } from "@/lib/use-command";
import { isolated } from "@/messages/isolated";

const ofPlans: ReadonlySet<Place["page"]> = new Set(["plans", "edit-plan", "backup-set"]);

/** Backup plan that needs a user, above every page until the user marks it as seen. The next failure shows it again. */
export function PlanBanner({ sites }: { sites: readonly SiteView[] }) {
	const { place } = useNavigation();
	const troubles = usePlanTroubles().data ?? [];
	const known = troubles.flatMap((trouble) => {
		const site = sites.find(({ id }) => id === trouble.site);
		// The plan pages show it themselves.
		const isThere = ofPlans.has(place.page) && "site" in place && place.site === site?.id;
		return site && !isThere ? [{ site, trouble }] : [];
	});
	const [first] = known;
	return first ? <Banner site={first.site} trouble={first.trouble} others={known.length - 1} /> : null;
}

function Banner({ site, trouble, others }: { site: SiteView; trouble: PlanTrouble; others: number }) {
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const { why, when, tone } = usePlanText()(site, trouble.state);
	const seen = useCommand(
		(backend) => backend.markPlanSeen(trouble.plan, trouble.since),
		(stale) => stale("markPlanSeen"),
	);
	const title = t("plan.title", { plan: trouble.name, why });
	return (
		<Box px={{ base: 16, md: 24 }} pt={18} maw={1248}>
			<Notice tone={tone ?? "warnings"} role="status" title={`${isolated(site.name)} · ${title}`}>
				{when ? <Small>{when}</Small> : null}
				<Group gap="xs">
					<Button onClick={() => go({ page: "plans", site: site.id, plan: trouble.plan })}>{t("plan.show")}</Button>
					<CommandButton command={seen} label={t("plan.seen")} aria-label={t("plan.seenLabel", { title })} />
					{others > 0 ? <Small>{t("attention.more", { count: others })}</Small> : null}
				</Group>
				{seen.error ? <ProblemNotice problem={seen.error} /> : null}
			</Notice>
		</Box>
	);
}
