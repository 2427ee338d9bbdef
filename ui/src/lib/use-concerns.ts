import { useTranslation } from "react-i18next";
import { operations, type SessionView, type SiteView } from "@/bridge";
import { type Concern, countedConcern } from "./concern";
import { useOperationUis } from "./operation-ui";
import {
	useActiveAgain,
	useDeactivations,
	useReminders,
	useServerExportState,
	useUnknownRecords,
	useUnsavedInvitations,
} from "./queries";
import { serverOf } from "./target";

/**
 * What wants attention, by what the program knows. The site itself is not asked. The overview and the marks beside the
 * operations both show this.
 */
export function useConcerns(site: SiteView, session: SessionView | null): Concern[] {
	const { t } = useTranslation("sites");
	const uis = useOperationUis();
	const unknown = useUnknownRecords().data?.filter((record) => record.site === site.id) ?? [];
	const facts = {
		site,
		session,
		deactivations: useDeactivations(site.id).data ?? [],
		activeAgain: useActiveAgain(serverOf(site), false),
		due: useReminders().data?.filter((one) => one.site === site.id) ?? [],
		unsaved: useUnsavedInvitations(site.id).data?.length ?? 0,
		neverVerified: useServerExportState(serverOf(site)).data?.verified === null,
	};
	return [
		...countedConcern(t, "unknown", unknown.length).map(
			(own): Concern => ({ ...own, operation: null, to: { page: "history" } }),
		),
		...operations.flatMap(({ key }) =>
			(uis[key].concerns?.(t, facts) ?? []).map(
				(own): Concern => ({ ...own, operation: key, to: { page: "operation", site: site.id, key } }),
			),
		),
	];
}
