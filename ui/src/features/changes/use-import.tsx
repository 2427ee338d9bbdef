import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ImportView, RecordId, SiteView, SnapshotId, SnapshotView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-text";
import { useComparedImports } from "@/lib/queries/changes";
import type { Choice } from "./choice";

/** Identifies an import by its entry of the history, and an upgrade by what it changed. */
const idOf = ({ by, server, after }: ImportView) => by?.record ?? `${after} ${server}`;

/** The snapshots before and after an import or upgrade, the newest one at first; `null` without any. */
export function useImport(site: SiteView, all: readonly SnapshotView[], first: RecordId | undefined): Choice | null {
	const { t } = useTranslation("changes");
	const nameOf = useHistoryName();
	const [chosen, choose] = useState(first);
	const imports = useComparedImports(site.id).data ?? [];
	// Another import is not shown in place of one that has no snapshot after it yet.
	const one = chosen === undefined ? imports[0] : imports.find((one) => idOf(one) === chosen);
	if (one === undefined) return null;
	const timeOf = (wanted: SnapshotId) => formatTime(all.find(({ id }) => id === wanted)?.at ?? 0);
	const options = imports.map((one) => ({
		value: idOf(one),
		label: [
			one.by ? nameOf(one.by.operation) : t("import.upgrade"),
			one.server,
			one.by ? formatTime(one.by.at) : timeOf(one.after),
		]
			.filter(Boolean)
			.join(", "),
	}));
	return {
		compared: { kind: "since", site: site.id, from: one.before, to: one.after },
		titles: {
			from: t("import.before", { at: timeOf(one.before) }),
			to: t("import.after", { at: timeOf(one.after) }),
			sides: null,
		},
		fields: (
			<Select
				w={360}
				size="xs"
				aria-label={t("import.label")}
				allowDeselect={false}
				data={options}
				value={idOf(one)}
				onChange={(id) => choose(id ?? undefined)}
			/>
		),
	};
}
