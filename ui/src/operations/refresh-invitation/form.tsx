import { useTranslation } from "react-i18next";
import { type Backend, type NewRun, type RunResult, type SiteView, useBackend } from "@/bridge";
import { InputTabs } from "@/components/input-tabs";
import { OperationScreen } from "@/components/operation-screen";
import { asOne, asSeveral, recordsOf } from "@/lib/batch-status";
import { useBrought } from "@/lib/brought";
import { draftKey, useDraft } from "@/lib/drafts";
import { useOperation } from "@/lib/use-operation";
import { useSessionState } from "@/lib/use-session-state";
import { ByIdentifier } from "./by-identifier";
import { InvitationList } from "./invitation-list";
import { formOf, type Order, type Result } from "./order";
import { FolderReport, Report } from "./report";
import { UnsavedInvitations } from "./unsaved-invitations";

type Way = "list" | "identifier";

const wayOf = draftKey<Way | null>();
const pickedOf = draftKey<ReadonlySet<string>>();
const nobody: ReadonlySet<string> = new Set();

export function RefreshInvitation({ site }: { site: SiteView }) {
	const { t } = useTranslation("refreshInvitation");
	const backend = useBackend();
	// The history brings the IDs of an invitation.
	const { brought } = useBrought(site.id, "refresh_invitation");
	const [wanted, setWay] = useSessionState(brought ? null : wayOf(site.id), null);
	const way = wanted ?? (brought ? "identifier" : "list");
	// The selection outlives the page and a rejected request.
	const [picked, setPicked] = useSessionState(pickedOf(site.id), nobody);
	const kept = useDraft(pickedOf(site.id));
	const pick = (keys: readonly string[], add: boolean) =>
		setPicked((before) => new Set([...before].filter((key) => !keys.includes(key)).concat(add ? keys : [])));
	const handle = useOperation<Result, Order>("refresh_invitation", site, async (run, order) => {
		const ended = await send(backend, site, run, order);
		// Clears the stored selection, so that refreshed invitations are not selected again.
		if (ended.kind === "done") kept.keep(null);
		return ended;
	});
	const back = () => {
		if (handle.state.kind === "done") setPicked(nobody);
		handle.reset();
	};
	return (
		<OperationScreen
			operation="refresh_invitation"
			site={site}
			handle={{ ...handle, reset: back }}
			width="wide"
			above={<UnsavedInvitations site={site} />}
			form={
				<InputTabs
					way={way}
					onWay={setWay}
					ways={[
						{
							way: "list",
							label: t("method.list"),
							form: (
								<InvitationList
									site={site}
									handle={handle}
									picked={picked}
									onPick={pick}
									onPickNone={() => setPicked(nobody)}
									onByIdentifier={() => setWay("identifier")}
								/>
							),
						},
						{
							way: "identifier",
							label: t("method.identifier"),
							form: <ByIdentifier site={site} handle={handle} />,
						},
					]}
				/>
			}
			report={({ at, form, report }) =>
				form.kind === "batch" && report.kind === "batch" ? (
					<FolderReport
						site={site}
						at={at}
						invitations={form.invitations}
						report={report.report}
						onAgain={(invitations, reason) => handle.start({ kind: "batch", invitations }, reason)}
					/>
				) : form.kind === "one" && report.kind === "one" ? (
					<Report site={site.id} at={at} report={report.report} invitation={form.invitation} />
				) : null
			}
			records={recordsOf}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

async function send(backend: Backend, site: SiteView, run: NewRun, order: Order): Promise<RunResult<Result>> {
	return order.kind === "one"
		? asOne(await backend.refreshInvitation(site.id, run, order.form))
		: asSeveral(await backend.refreshInvitations(site.id, run, order.invitations.map(formOf)));
}
