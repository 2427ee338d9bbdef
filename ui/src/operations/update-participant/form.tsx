import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type Backend,
	type DroppedFile,
	type Ended,
	type RunId,
	type SheetReading,
	type SiteView,
	useBackend,
} from "@/bridge";
import { OperationScreen } from "@/components/operation-screen";
import { Ways } from "@/components/ways";
import { useDraft } from "@/lib/drafts";
import { useDroppedFile } from "@/lib/dropped-file";
import { useBrought } from "@/lib/last-parameters";
import { useParticipants } from "@/lib/queries";
import { useOperation } from "@/lib/use-operation";
import { ByIdentifier } from "./by-identifier";
import { ContactSheetPanel } from "./contact-sheet";
import { formOf, type Order, type Result } from "./order";
import { ParticipantList } from "./participant-list";
import { Report } from "./report";
import { SheetReport } from "./sheet-report";

type Way = "list" | "sheet" | "identifier";

export function UpdateParticipant({ site }: { site: SiteView }) {
	const { t } = useTranslation("updateParticipant");
	const backend = useBackend();
	// What the history brings along are identifiers.
	const brought = useBrought(site.id, "update_participant") !== null;
	const [wanted, setWay] = useState<Way | null>(null);
	const way = wanted ?? (brought ? "identifier" : "list");
	const [picked, setPicked] = useState<string | null>(null);
	const dropped = useDroppedFile("contactSheet");
	const [reading, setReading] = useSheet(site);
	const participants = useParticipants(site.id);
	const handle = useOperation<Result, Order>("update_participant", site, (run, order) =>
		send(backend, site, run, order),
	);
	useArrival(dropped.file, () => {
		setWay("sheet");
		handle.reset();
	});
	const portalOf = (id: string) => participants.data?.find((one) => one.participantId === id)?.portalName ?? id;
	const back = () => {
		// What it was compared with is no longer what the portal has.
		if (handle.state.kind === "done" && handle.state.form.kind === "several") setReading(null);
		handle.reset();
	};
	return (
		<OperationScreen
			operation="update_participant"
			site={site}
			handle={{ ...handle, reset: back }}
			width="full"
			form={
				<Ways
					way={way}
					onWay={setWay}
					ways={[
						{
							way: "list",
							label: t("way.list"),
							form: (
								<ParticipantList
									site={site}
									handle={handle}
									picked={picked}
									onPick={setPicked}
									onByIdentifier={() => setWay("identifier")}
								/>
							),
						},
						{
							way: "sheet",
							label: t("way.sheet"),
							form: (
								<ContactSheetPanel
									site={site}
									handle={handle}
									reading={reading}
									onReading={setReading}
									dropped={dropped}
								/>
							),
						},
						{
							way: "identifier",
							label: t("way.identifier"),
							form: <ByIdentifier site={site} handle={handle} />,
						},
					]}
				/>
			}
			report={({ at, form, report }) =>
				form.kind === "several" && report.kind === "several" ? (
					<SheetReport
						site={site}
						at={at}
						changes={form.changes}
						report={report.report}
						onAgain={(changes) => handle.start({ kind: "several", changes })}
					/>
				) : form.kind === "one" ? (
					<Report at={at} form={form.form} portal={portalOf(form.form.participantId)} />
				) : null
			}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

async function send(backend: Backend, site: SiteView, run: RunId, order: Order): Promise<Ended<Result>> {
	if (order.kind === "one") {
		const ended = await backend.updateParticipant(site.id, run, order.form);
		return ended.kind === "done" ? { ...ended, report: { kind: "one", report: ended.report } } : ended;
	}
	const ended = await backend.updateParticipants(site.id, run, order.changes.map(formOf));
	return ended.kind === "done" ? { ...ended, report: { kind: "several", report: ended.report } } : ended;
}

/** A file that was dropped wants the place for sheets, whatever is on the screen. A run is not forgotten by that. */
function useArrival(file: DroppedFile | null, onArrival: () => void): void {
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
	useEffect(() => {
		if (file) onArrival();
	}, [file]);
}

/** What was read from a file outlives the screen, as what is typed into a form does. */
function useSheet(site: SiteView): [SheetReading | null, (reading: SheetReading | null) => void] {
	const { kept, keep } = useDraft<SheetReading>(`${site.id} contact sheet`);
	const [reading, setReading] = useState(kept);
	return [
		reading,
		(next) => {
			keep(next);
			setReading(next);
		},
	];
}
