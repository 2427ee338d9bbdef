import { Text } from "@mantine/core";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Backend, type HistoryEntry, type RecordId, useBackend } from "@/bridge";
import { fileName } from "@/lib/file-name";
import { formatDateTime } from "@/lib/format";
import { isAct, useHistoryName } from "@/lib/history-text";
import { parameterOf } from "@/lib/last-parameters";
import { useOperationUis } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries";
import { noFilters, searchFor } from "./filters";

/** More entries with one identifier in their texts are not expected. */
const few = 20;
interface OriginProps {
	entry: HistoryEntry;
	name: string;
	value: string;
}

/** What an identifier in an import's record stands for, as far as the history knows where it came from. */
export function Origin({ entry, name, value }: OriginProps) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const nameOf = useHistoryName();
	const uis = useOperationUis();
	const { records = [], uploads = [] } = isAct(entry.operation) ? {} : (uis[entry.operation].identifiers ?? {});
	const ask = () => {
		if (records.includes(name)) return () => recordOf(backend, value);
		return uploads.includes(name) && !isPath(value) ? () => uploadOf(backend, entry.site, value) : skipToken;
	};
	const origin = useQuery({
		queryKey: [...queryKeys.history, "origin", entry.site, name, value],
		queryFn: ask(),
	}).data;
	if (!origin) return null;
	const at = formatDateTime(origin.startedAt);
	return (
		<Text size="xs" c="dimmed">
			{origin.operation === "upload"
				? t("details.origin.upload", { file: fileName(parameterOf(origin.parameters, "file")), at })
				: t("details.origin.operation", { operation: nameOf(origin.operation), at })}
		</Text>
	);
}

async function recordOf(backend: Backend, record: RecordId): Promise<HistoryEntry> {
	return (await backend.recordDetails(record)).entry;
}

/** The record of what brought a file among the uploads; `null` when this history has none. */
async function uploadOf(backend: Backend, site: HistoryEntry["site"], upload: string): Promise<HistoryEntry | null> {
	for (const operation of ["upload", "export_server"] as const) {
		const search = { ...searchFor(noFilters), text: upload, site, operation };
		const { entries } = await backend.searchHistory(search, null, few);
		const found = entries.find((one) => one.upload === upload);
		if (found) return found;
	}
	return null;
}

function isPath(value: string): boolean {
	return /[\\/]/.test(value);
}
