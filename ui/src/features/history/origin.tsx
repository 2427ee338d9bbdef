import { Text } from "@mantine/core";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Backend, type HistoryEntry, useBackend } from "@/bridge";
import { fileName } from "@/lib/file-name";
import { formatTime } from "@/lib/format";
import { parameterOf } from "@/lib/last-parameters";
import { queryKeys } from "@/lib/queries";
import { noFilters, searchFor } from "./filters";

/** Parameters of an import whose value may be an identifier. */
const identifiers = ["location", "safetyBackup", "undoes", "deactivation"] as const;
/** More entries with one identifier in their texts are not expected. */
const few = 20;
type Identifier = (typeof identifiers)[number];

const originKinds: Partial<Record<HistoryEntry["operation"], "import" | "deactivation">> = {
	import_server: "import",
	deactivate_webhooks: "deactivation",
};

interface OriginProps {
	entry: HistoryEntry;
	name: string;
	value: string;
}

/** What an identifier in an import's record stands for, as far as the history knows where it came from. */
export function Origin({ entry, name, value }: OriginProps) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const wanted = identifiers.find((one) => one === name && entry.operation === "import_server" && !isPath(value));
	const origin = useQuery({
		queryKey: [...queryKeys.history, "origin", entry.site, wanted, value],
		queryFn: wanted ? () => originOf(backend, entry.site, wanted, value) : skipToken,
	}).data;
	if (!origin) return null;
	const at = formatTime(origin.startedAt);
	const kind = originKinds[origin.operation] ?? "export";
	return (
		<Text size="xs" c="dimmed">
			{origin.operation === "upload"
				? t("details.origin.upload", { file: fileName(parameterOf(origin.parameters, "file")), at })
				: t(`details.origin.${kind}`, { at })}
		</Text>
	);
}

/** The record that brought it about; `null` when this history has none. */
async function originOf(
	backend: Backend,
	site: HistoryEntry["site"],
	name: Identifier,
	value: string,
): Promise<HistoryEntry | null> {
	if (name === "undoes" || name === "deactivation") return (await backend.recordDetails(value)).entry;
	for (const operation of ["upload", "export_server"] as const) {
		const search = { ...searchFor(noFilters), text: value, site, operation };
		const { entries } = await backend.searchHistory(search, null, few);
		const found = entries.find(({ upload }) => upload === value);
		if (found) return found;
	}
	return null;
}

function isPath(value: string): boolean {
	return /[\\/]/.test(value);
}
