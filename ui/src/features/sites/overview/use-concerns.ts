import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Key, type SessionView, type SiteView, useBackend } from "@/bridge";
import { exportAges } from "@/lib/export-age";
import { formatAgo, formatNumber } from "@/lib/format";
import type { Place } from "@/lib/navigation";
import { obstacleOf } from "@/lib/obstacle-words";
import { queryKeys, useSilences } from "@/lib/queries";

export interface Concern {
	key: string;
	words: string;
	/** Label of the button that leads to the next act. */
	act: string;
	to: Place;
}

/** What wants attention, by what the program knows. The site itself is not asked. */
export function useConcerns(site: SiteView, session: SessionView): Concern[] {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const unknown = useQuery({
		queryKey: queryKeys.unknownOutcomes(site.id),
		queryFn: () =>
			backend.searchHistory(
				{ text: "", site: site.id, operation: null, username: null, outcomes: ["unknown"], from: null, to: null },
				null,
				100,
			),
	});
	const silences = useSilences(site.id);
	const reminders = useQuery({ queryKey: queryKeys.reminders, queryFn: () => backend.reminders() });
	const kept = useQuery({
		queryKey: queryKeys.keptInvitations(site.id),
		queryFn: () => backend.listKeptInvitations(site.id),
	});
	const at = (key: Key): Place => ({ page: "operation", site: site.id, key });
	const concern = (key: "unknown" | "silent" | "expiring" | "unsaved", count: number, to: Place): Concern[] =>
		count === 0
			? []
			: [
					{
						key,
						words: t(`attention.${key}.words`, { count, formatted: formatNumber(count) }),
						act: t(`attention.${key}.act`),
						to,
					},
				];
	const expiring = reminders.data?.filter((one) => one.site === site.id && one.about.kind === "invitation") ?? [];
	const exports = exportAges(site)
		.filter(({ old, area }) => old && !obstacleOf(session, `export_${area}`))
		.map(
			({ area, at: last }): Concern => ({
				key: area,
				words: last === null ? t(`attention.${area}.never`) : t(`attention.${area}.old`, { ago: formatAgo(last) }),
				act: t(`attention.${area}.act`),
				to: at(`export_${area}`),
			}),
		);
	return [
		...concern("unknown", unknown.data?.entries.length ?? 0, { page: "history" }),
		...concern("unsaved", kept.data?.length ?? 0, at("refresh_invitation")),
		...concern("expiring", expiring.length, at("refresh_invitation")),
		...concern(
			"silent",
			silences.data?.filter(({ restoredAt }) => restoredAt === null).length ?? 0,
			at("deactivate_webhooks"),
		),
		...exports,
	];
}
