import { Text } from "@mantine/core";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Backend, type HistoryEntry, type HistoryKey, operations, type RecordId, useBackend } from "@/bridge";
import { fileName } from "@/lib/file-name";
import { formatDateTime } from "@/lib/format";
import { isAct, useHistoryName } from "@/lib/history-text";
import { parameterOf } from "@/lib/last-parameters";
import { newestEntry } from "@/lib/newest-entry";
import { useOperationUis } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries";

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
	const storing = operations.map(({ key }) => key).filter((key) => uis[key].storesUpload);
	const ask = () => {
		if (records.includes(name)) return () => recordOf(backend, value);
		return uploads.includes(name) && !isPath(value)
			? () => uploadOf(backend, ["upload", ...storing], entry, value)
			: skipToken;
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
async function uploadOf(
	backend: Backend,
	keys: readonly HistoryKey[],
	{ site, startedAt: to }: HistoryEntry,
	upload: string,
): Promise<HistoryEntry | null> {
	for (const operation of keys) {
		const found = await newestEntry(backend, { site, operation, to }, (one) => one.upload === upload);
		if (found) return found;
	}
	return null;
}

function isPath(value: string): boolean {
	return /[\\/]/.test(value);
}
