import { Stack, Table } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, ServerId, SetView, SiteView } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Pages, usePages } from "@/components/pages";
import { SearchField } from "@/components/search-field";
import { Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { matches } from "@/lib/matches";
import { useSetServices } from "@/lib/queries/plans";

interface SetServicesProps {
	site: SiteView;
	plan: BackupPlan;
	set: SetView;
	server: ServerId;
	name: string;
}

/** Services of a server in a set, each with the number of other sets that contain it. */
export function SetServices({ site, plan, set, server, name }: SetServicesProps) {
	const { t } = useTranslation("plans");
	const { data, error } = useSetServices(site.id, plan.id, set.name, server);
	const [search, setSearch] = useState("");
	const found = data?.services.filter(({ path }) => matches(search, path)) ?? [];
	const pages = usePages(found);
	if (error) return <ProblemNotice problem={error} />;
	if (!data) return <LoadingRows height={32} />;
	return (
		<Stack gap="xs">
			<SearchField
				size="xs"
				maw={400}
				aria-label={t("set.search", { part: name })}
				placeholder={t("set.search", { part: name })}
				value={search}
				onChange={setSearch}
			/>
			<Small role="status">{t("set.found", { found: found.length, total: data.services.length, part: name })}</Small>
			{found.length === 0 ? null : (
				<Table aria-label={t("set.look", { part: name })}>
					<Heads of={[t("set.service"), t("set.state"), t("set.otherSets")]} />
					<Table.Tbody>
						{pages.shown.map(({ path, state, others }) => (
							<Table.Tr key={path}>
								<Table.Td mod="anywhere">{path}</Table.Td>
								<Table.Td>{state || t("set.notKnown")}</Table.Td>
								<Table.Td>{others === 0 ? t("set.onlyHere") : t("set.others", { count: others })}</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			)}
			<Pages handle={pages} label={t("set.servicePages")} />
		</Stack>
	);
}
