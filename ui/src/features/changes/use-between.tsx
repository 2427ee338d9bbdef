import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Side, SideView, SiteView } from "@/bridge";
import { Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useSides } from "@/lib/queries/changes";
import type { Choice } from "./choice";

const idOf = ({ side }: { side: Side }) => JSON.stringify([side.site, side.server]);
const nameOf = ({ siteName, serverName }: SideView) => [siteName, serverName].filter(Boolean).join(", ");
const option = (one: SideView) => ({ value: idOf(one), label: `${nameOf(one)}, ${formatTime(one.at)}` });

/** The newest snapshots of this site and another one, or of two servers; `null` without two. */
export function useBetween(site: SiteView): Choice | null {
	const { t } = useTranslation("changes");
	const [chosen, choose] = useState<{ left?: string; right?: string }>({});
	const all = useSides().data ?? [];
	const own = all.filter(({ side }) => side.site === site.id);
	// A site is compared with a site, and a server with a server. Those of other sites come first.
	const others = (right: SideView) =>
		all
			.filter((one) => (one.side.server === null) === (right.side.server === null) && idOf(one) !== idOf(right))
			.toSorted((one, other) => Number(one.side.site === site.id) - Number(other.side.site === site.id));
	const possible = own.filter((one) => others(one).length > 0);
	const right = possible.find((one) => idOf(one) === chosen.right) ?? possible[0];
	if (right === undefined) return null;
	const lefts = others(right);
	const left = lefts.find((one) => idOf(one) === chosen.left) ?? lefts[0];
	if (left === undefined) return null;
	const sides = { left: nameOf(left), right: nameOf(right) };
	return {
		compared: { kind: "between", left: left.side, right: right.side },
		titles: { from: sides.left, to: sides.right, sides },
		fields: (
			<>
				<Select
					w={230}
					size="xs"
					aria-label={t("between.left")}
					allowDeselect={false}
					data={lefts.map(option)}
					value={idOf(left)}
					onChange={(id) => choose({ right: idOf(right), ...(id === null ? {} : { left: id }) })}
				/>
				<Small>{t("between.and")}</Small>
				<Select
					w={230}
					size="xs"
					aria-label={t("between.right")}
					allowDeselect={false}
					data={possible.map(option)}
					value={idOf(right)}
					onChange={(id) => choose({ left: idOf(left), ...(id === null ? {} : { right: id }) })}
				/>
			</>
		),
	};
}
