import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
	type DeactivationId,
	type DeactivationView,
	type OperationKey,
	type SessionView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { isActiveAgain } from "@/lib/active-again";
import { exportAges } from "@/lib/export-age";
import { formatAgo, formatNumber } from "@/lib/format";
import type { Place } from "@/lib/navigation";
import {
	queryKeys,
	useActiveAgain,
	useDeactivations,
	useReminders,
	useServerExportState,
	useUnknownRecords,
} from "@/lib/queries";
import { serverOf } from "@/lib/target";
import { unavailableReason } from "@/lib/unavailable-text";

export interface Concern {
	key: string;
	/** The operation that the next act belongs to; `null` for the history. */
	operation: OperationKey | null;
	/** `null` for what is not counted. */
	count: number | null;
	words: string;
	/** Label of the button that leads to the next act. */
	act: string;
	to: Place;
}

const counted = (count: number) => ({ count, formatted: formatNumber(count) });

/** Services whose webhooks are deactivated, and those of which that is not known: one may stand in several entries. */
function deactivatedServices(
	entries: readonly DeactivationView[],
	activeAgain: ReadonlyMap<DeactivationId, readonly string[]>,
): { known: number; uncertain: number } {
	const open = entries.filter(
		(entry) => entry.resolvedAt === null && !isActiveAgain(entry, activeAgain.get(entry.id) ?? []),
	);
	const all = new Set(open.map(({ service }) => service));
	const known = new Set(open.filter((entry) => entry.known).map(({ service }) => service));
	return { known: known.size, uncertain: all.size - known.size };
}

/**
 * What wants attention, by what the program knows. The site itself is not asked. The overview and the marks beside the
 * operations both show this.
 */
export function useConcerns(site: SiteView, session: SessionView | null): Concern[] {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const unknown = useUnknownRecords().data?.filter((record) => record.site === site.id) ?? [];
	const silent = deactivatedServices(useDeactivations(site.id).data ?? [], useActiveAgain(serverOf(site), false));
	const due = useReminders().data?.filter((one) => one.site === site.id) ?? [];
	const kept = useQuery({
		queryKey: queryKeys.keptInvitations(site.id),
		queryFn: () => backend.listUnsavedInvitations(site.id),
	});
	const about = (kind: "deactivation" | "invitation") => due.filter((one) => one.about.kind === kind).length;
	const concern = (
		key: "unknown" | "silent" | "expiring" | "unsaved",
		count: number,
		operation: OperationKey | null,
		words = t(`attention.${key}.words`, counted(count)),
	): Concern[] =>
		count === 0
			? []
			: [
					{
						key,
						operation,
						count,
						words,
						act: t(`attention.${key}.act`),
						to: operation ? { page: "operation", site: site.id, key: operation } : { page: "history" },
					},
				];
	const reminded = about("deactivation");
	const deactivatedText = [
		silent.known > 0 ? t("attention.silent.words", counted(silent.known)) : null,
		silent.uncertain > 0 ? t("attention.silent.maybe", counted(silent.uncertain)) : null,
		reminded > 0 ? t("attention.silent.due", { count: reminded }) : null,
	].filter((words) => words !== null);
	const neverVerified = useServerExportState(serverOf(site)).data?.verified === null;
	const exports = exportAges(site)
		.filter(({ old, area }) => old && !unavailableReason(session, `export_${area}`))
		.map(
			({ area, at: last }): Concern => ({
				key: area,
				operation: `export_${area}`,
				count: null,
				words:
					last === null
						? t(`attention.${area}.never`)
						: area === "server" && neverVerified
							? t("attention.server.oldUnverified", { ago: formatAgo(last) })
							: t(`attention.${area}.old`, { ago: formatAgo(last) }),
				act: t(`attention.${area}.act`),
				to: { page: "operation", site: site.id, key: `export_${area}` },
			}),
		);
	return [
		...concern("unknown", unknown.length, null),
		...concern("unsaved", kept.data?.length ?? 0, "refresh_invitation"),
		...concern("expiring", about("invitation"), "refresh_invitation"),
		...concern("silent", silent.known + silent.uncertain || reminded, "deactivate_webhooks", deactivatedText.join(" ")),
		...exports,
	];
}
