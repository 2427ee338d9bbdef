import { Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, RecordId, ServerId, SiteView } from "@/bridge";
import { Undo } from "@/components/undo";
import { UndoDialog } from "@/components/undo-dialog";
import { formatTime } from "@/lib/format";
import { AdminUrl, passesAdaptor } from "./admin-url";
import { Undone } from "./undone";
import { UndoneSince } from "./undone-since";
import { useUndoImport } from "./use-undo-import";
import { useUndone } from "./use-undone";

interface UndoImportProps {
	site: SiteView;
	/** Server that the import went to, unless it is the current one. */
	server?: ServerId | null;
	/** Its name. */
	target: string;
	/** The import. Its record keeps the safety backup, also when no response was received. */
	record: RecordId;
	/** When that export was complete, where the page has it. */
	takenAt?: Millis;
	/** Whether the page says by itself that the import was undone. */
	saidAbove?: boolean;
}

/** Undoes an import with the export that was made before it, once the name of the site is typed. */
export function UndoImport({
	site,
	server = site.currentServer,
	target,
	record,
	takenAt,
	saidAbove = false,
}: UndoImportProps) {
	const { t } = useTranslation("run", { keyPrefix: "undoImport" });
	const { end, running, start, reset } = useUndoImport(site, record);
	const [isBegunHere, setIsBegunHere] = useState(false);
	const [throughWebAdaptor, setThroughWebAdaptor] = useState(false);
	const passes = passesAdaptor(site, server);
	const before = useUndone(site, record);
	// After the page was left, the history shows that it was undone, once it has the entry, and it can be undone again.
	const isDone = end.kind === "done" && (isBegunHere || before?.id !== end.record);
	const said = saidAbove && before !== null;
	return (
		<Stack gap="xs" align="flex-start">
			{isDone && !said ? (
				<Undone server={{ site: site.id, server }} target={target} report={end.report} record={end.record} />
			) : null}
			{before && !said && !isDone ? <UndoneSince undone={before} /> : null}
			<Undo
				site={site}
				end={end}
				isDone={isDone}
				running={running}
				isAgain={before !== null}
				unknown={t("unknown", { site: target })}
				notSent={t("notSent", { site: target })}
				onHide={reset}
				question={(close) => (
					<UndoDialog
						site={site}
						server={server}
						record={record}
						title={t("ask", { site: target })}
						what={
							takenAt === undefined
								? t("what", { site: target })
								: t("whatOf", { site: target, at: formatTime(takenAt) })
						}
						decision={
							passes ? (
								<AdminUrl
									site={site}
									server={server}
									throughAdaptor={throughWebAdaptor}
									onThroughAdaptor={setThroughWebAdaptor}
								/>
							) : null
						}
						isDecided={!passes || throughWebAdaptor}
						secure={t("secure")}
						secureHint={t("secureHint")}
						onClose={close}
						onConfirm={(typed, secure, reason) => {
							setIsBegunHere(true);
							start(typed, { secure, throughWebAdaptor }, reason);
						}}
					/>
				)}
			/>
		</Stack>
	);
}
