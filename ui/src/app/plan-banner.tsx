import { Box, Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PlanTrouble, Problem, SiteView } from "@/bridge";
import { CommandButton, Notice, ProblemNotice, type Tone } from "@/components/notice";
import { Small } from "@/components/text";
import { DeletePlan } from "@/features/plans/delete-plan";
import { type Place, useNavigation } from "@/lib/navigation";
import { usePlanText } from "@/lib/plan-text";
import { usePlanTroubles } from "@/lib/queries/plans";
import { useCommand } from "@/lib/use-command";
import { isolated } from "@/messages/isolated";

const ofPlans: ReadonlySet<Place["page"]> = new Set(["plans", "edit-plan", "backup-set"]);

/**
 * Banner above every page for a backup plan that needs a user. It stays until the user marks the plan as seen, and the
 * next failure shows it again. The plan of a removed site is shown only here, until it is deleted.
 */
export function PlanBanner({ sites }: { sites: readonly SiteView[] }) {
	const { place } = useNavigation();
	const troubles = usePlanTroubles().data ?? [];
	const known = troubles.flatMap((trouble): { site: SiteView | null; trouble: PlanTrouble }[] => {
		const site = sites.find(({ id }) => id === trouble.site) ?? null;
		if (site === null) return hasNoSite(trouble) ? [{ site, trouble }] : [];
		// The pages of the plans of the site show the trouble themselves.
		const isThere = ofPlans.has(place.page) && "site" in place && place.site === site.id;
		return isThere ? [] : [{ site, trouble }];
	});
	const [first] = known;
	if (!first) return null;
	const { site, trouble } = first;
	const others = known.length - 1;
	return site ? (
		<Banner site={site} trouble={trouble} others={others} />
	) : (
		<WithoutSite key={trouble.plan} trouble={trouble} others={others} />
	);
}

const hasNoSite = ({ state }: PlanTrouble) => state.kind === "needsYou" && state.reason.kind === "noSite";

function Banner({ site, trouble, others }: { site: SiteView; trouble: PlanTrouble; others: number }) {
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const { why, when, tone } = usePlanText()(site, trouble.state);
	const seen = useCommand((backend) => backend.markPlanSeen(trouble.plan, trouble.since), ["markPlanSeen"]);
	const title = t("plan.title", { plan: trouble.name, why });
	return (
		<Above
			tone={tone ?? "warnings"}
			title={`${isolated(site.name)} · ${title}`}
			when={when}
			others={others}
			problem={seen.error}
		>
			<Button onClick={() => go({ page: "plans", site: site.id, plan: trouble.plan })}>{t("plan.show")}</Button>
			<CommandButton command={seen} label={t("plan.seen")} aria-label={t("plan.seenLabel", { title })} />
		</Above>
	);
}

function WithoutSite({ trouble, others }: { trouble: PlanTrouble; others: number }) {
	const { t } = useTranslation(["sites", "plans"]);
	const [isLeaving, setLeaving] = useState(false);
	const { plan: id, site, name, folder } = trouble;
	const title = t("plan.title", { plan: name, why: t("plan.why.noSite") });
	return (
		<Above tone="failed" title={title} others={others}>
			<Button onClick={() => setLeaving(true)}>{t("plans:menu.delete")}</Button>
			<DeletePlan plan={isLeaving ? { id, site, name, folder } : null} onClose={() => setLeaving(false)} />
		</Above>
	);
}

interface AboveProps {
	tone: Tone;
	title: string;
	/** Time and details. */
	when?: string;
	/** Number of other plans that need a user. */
	others: number;
	problem?: Problem | null;
	/** Buttons with which the user can solve the problem. */
	children: ReactNode;
}

function Above({ tone, title, when = "", others, problem = null, children }: AboveProps) {
	const { t } = useTranslation("sites");
	return (
		<Box px={{ base: 16, md: 24 }} pt={18} maw={1248}>
			<Notice tone={tone} role="status" title={title}>
				{when ? <Small>{when}</Small> : null}
				<Group gap="xs">
					{children}
					{others > 0 ? <Small>{t("attention.more", { count: others })}</Small> : null}
				</Group>
				<ProblemNotice problem={problem} />
			</Notice>
		</Box>
	);
}
