import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView, SnapshotId, SnapshotView } from "@/bridge";
import { Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import type { Choice } from "./choice";

/** Two snapshots of a site, the two newest at first; `null` without two. */
export function useSince(site: SiteView, all: readonly SnapshotView[]): Choice | null {
	const { t } = useTranslation("changes");
	const [chosen, choose] = useState<{ from?: SnapshotId; to?: SnapshotId }>({});
	const taken = all.filter(({ failure }) => failure === "");
	const to = chosen.to ?? taken[0]?.id;
	const from = chosen.from ?? taken.find(({ id }) => to !== undefined && id < to)?.id;
	if (from === undefined || to === undefined) return null;
	const options = (fits: (id: SnapshotId) => boolean) =>
		taken.filter(({ id }) => fits(id)).map(({ id, at }) => ({ value: String(id), label: formatTime(at) }));
	const timeOf = (wanted: SnapshotId) => formatTime(taken.find(({ id }) => id === wanted)?.at ?? 0);
	return {
		compared: { kind: "since", site: site.id, from, to },
		titles: { from: timeOf(from), to: timeOf(to), sides: null },
		fields: (
			<>
				<Select
					w={196}
					size="xs"
					aria-label={t("from")}
					allowDeselect={false}
					data={options((id) => id < to)}
					value={String(from)}
					onChange={(id) => choose({ from: Number(id), to })}
				/>
				<Small>{t("to")}</Small>
				<Select
					w={196}
					size="xs"
					aria-label={t("until")}
					allowDeselect={false}
					data={options((id) => id > from)}
					value={String(to)}
					onChange={(id) => choose({ from, to: Number(id) })}
				/>
			</>
		),
	};
}
