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
	/** Server of the import. Default: the current one. */
	server?: ServerId | null;
	/** Name of the server, with its site. */
	target: string;
	/** History entry of the import. It refers to the safety backup even if no response was received. */
	record: RecordId;
	/** Time of the safety backup, if the page has read it. */
	takenAt?: Millis;
	/** Whether the page itself shows that the import was undone. */
	saidAbove?: boolean;
}

/** Undoes an import with its safety backup, after a confirmation. */
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
	// After the user returns to the page, the history shows the undo, and a further undo is possible.
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
