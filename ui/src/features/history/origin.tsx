import { useTranslation } from "react-i18next";
import { type HistoryEntry, operations, type Parameter } from "@/bridge";
import { Small } from "@/components/text";
import { fileName } from "@/lib/file-name";
import { formatDateTime } from "@/lib/format";
import { isAct, useHistoryName } from "@/lib/history-text";
import { useOperationUis } from "@/lib/operation-ui";
import { parameterOf } from "@/lib/parameter-of";
import { useRecord, useUploadOrigin } from "@/lib/queries/history";

interface OriginProps {
	entry: HistoryEntry;
	parameter: Parameter;
}

/** Explains an ID among the parameters of an import by the entry that created it. */
export function Origin({ entry, parameter: { name, value, isUpload = false } }: OriginProps) {
	const { t } = useTranslation("history");
	const nameOf = useHistoryName();
	const uis = useOperationUis();
	const records = isAct(entry.operation) ? [] : (uis[entry.operation].namesRecords ?? []);
	const storing = operations.map(({ key }) => key).filter((key) => uis[key].storesUpload);
	const brought = useUploadOrigin(isUpload ? value : null, entry, ["upload", ...storing]);
	const record = useRecord(records.includes(name) ? value : null).data?.entry;
	const origin = record ?? brought;
	if (!origin) return null;
	const at = formatDateTime(origin.startedAt);
	return (
		<Small>
			{origin.operation === "upload"
				? t("details.origin.upload", { file: fileName(parameterOf(origin.parameters, "file")), at })
				: t("details.origin.operation", { operation: nameOf(origin.operation), at })}
		</Small>
	);
}
