import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ExportOutcome, MissingPart } from "@/bridge";
import { useFileFacts } from "@/lib/queries/program";
import { MissingParts } from "./missing-parts";
import { Fact, LongFact } from "./outcome";
import { FileHash, FilePath } from "./saved-file";

/** An export that was written, and not only checked. */
export type Written = Extract<ExportOutcome, { location: string }>;

export function warningsOf(outcome: Written): readonly string[] {
	return outcome.status === "writtenWithWarnings" ? outcome.messages : [];
}

/** Returns a function that states how an export ended. */
export function useExportTitle(): (outcome: Written, about: { site: string; took: string }) => string {
	const { t } = useTranslation("run", { keyPrefix: "exported" });
	return (outcome, about) => {
		const count = warningsOf(outcome).length;
		if (count > 0) return t("warnings", { ...about, count });
		return t(outcome.status === "writtenWithWarnings" ? "warned" : "written", about);
	};
}

interface ExportFileProps {
	name: string;
	outcome: Written;
	/** Whether the site runs on this computer, so that the file can be shown. */
	isHere: boolean;
	/** Whether the location is a pointer file of object storage, whose size and checksum are not those of the export. */
	isPointer?: boolean;
	children?: ReactNode;
}

/** Lines of a result: where an export is on its site, with size and checksum if this computer can read the file. */
export function ExportFile({ name, outcome, isHere, isPointer = false, children }: ExportFileProps) {
	const { t } = useTranslation("run");
	const { location, isUrl } = outcome;
	const isFile = isHere && !isUrl && location !== "";
	const facts = useFileFacts(isFile && !isPointer ? location : null).data;
	return (
		<>
			<LongFact name={name}>
				{location === "" ? (
					<Text>{t("noLocation")}</Text>
				) : (
					<FilePath path={location} isUrl={isUrl} isHere={isFile} size={facts ? facts.size : null} />
				)}
				{children}
			</LongFact>
			{facts ? <FileHash sha256={facts.sha256} /> : null}
		</>
	);
}

interface InventoryFactProps {
	/** Parts that are missing from the inventory. `null` if none was taken. */
	missing: readonly MissingPart[] | null;
	children: ReactNode;
}

/** Line of a result: content of the site when it was exported. */
export function InventoryFact({ missing, children }: InventoryFactProps) {
	const { t } = useTranslation("run", { keyPrefix: "inventory" });
	if (missing === null) return <Fact name={t("title")}>{t("skipped")}</Fact>;
	return (
		<LongFact name={t("title")}>
			{children}
			<MissingParts missing={missing} />
		</LongFact>
	);
}
