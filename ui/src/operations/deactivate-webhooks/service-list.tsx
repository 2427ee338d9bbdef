import { Button, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView } from "@/bridge";
import { ListTools } from "@/components/list-tools";
import { draftKey } from "@/lib/drafts";
import { serverOf, targetKey } from "@/lib/target";
import { useSessionState } from "@/lib/use-session-state";
import { FolderGroup } from "./folder-group";
import type { Actions } from "./use-actions";
import { byFolder, canBeDeactivated } from "./webhooks";

interface ServiceListProps {
	/** The words that it is narrowed by at first. */
	narrow: string;
	site: SiteView;
	actions: Actions;
	services: readonly ServiceView[];
	ticked: readonly string[];
	onTick: (paths: string[]) => void;
	refresh: () => void;
	refreshing: boolean;
}

type Which = "hooked" | "all";

const searchOf = draftKey<string>();
const whichOf = draftKey<Which>();

/** So many services are drawn at first; a search is the quicker way to those behind. */
const atOnce = 150;

/** The services by folder, with what would be deactivated. Not drawn again for each key of the reason. */
export const ServiceList = memo(function ServiceList(props: ServiceListProps) {
	const { narrow, site, actions, services, ticked, onTick, refresh, refreshing } = props;
	const { t } = useTranslation("deactivateWebhooks");
	const target = targetKey(serverOf(site));
	const [search, setSearch] = useSessionState(narrow === "" ? searchOf(target) : null, narrow);
	const [which, setWhich] = useSessionState<Which>(
		narrow === "" ? whichOf(target) : null,
		narrow === "" ? "hooked" : "all",
	);
	const [most, setMost] = useState(atOnce);
	// Where the server does not list them, there may be some.
	const hooked = services.filter(({ webhooks }) => webhooks?.length !== 0);
	const words = search.trim().toLowerCase();
	const matching = (which === "all" ? services : hooked).filter(({ path, webhooks }) =>
		[path, ...(webhooks ?? []).map(({ name }) => name)].some((text) => text.toLowerCase().includes(words)),
	);
	// Also of a folder whose last services are not drawn yet.
	const inAll = new Map(byFolder(matching));
	const loud = matching.filter(canBeDeactivated).map(({ path }) => path);
	return (
		<Stack gap="sm">
			<ListTools
				label={t("search")}
				search={search}
				onSearch={setSearch}
				refresh={t("refresh")}
				refreshing={refreshing}
				onRefresh={refresh}
			>
				<SegmentedControl
					size="xs"
					aria-label={t("which")}
					value={which}
					onChange={(value) => setWhich(value as Which)}
					data={[
						{ value: "hooked", label: t("hooked", { count: hooked.length }) },
						{ value: "all", label: t("every", { count: services.length }) },
					]}
				/>
			</ListTools>
			<Group gap="xs">
				<Button disabled={loud.length === 0} onClick={() => onTick([...new Set([...ticked, ...loud])])}>
					{t("selectAll")}
				</Button>
				<Button disabled={ticked.length === 0} onClick={() => onTick([])}>
					{t("selectNone")}
				</Button>
				<Text c="dimmed" role="status">
					{t("chosen", { count: ticked.length })}
				</Text>
			</Group>
			{matching.length === 0 ? (
				<Text c="dimmed">{words ? t("noMatch", { search }) : t("noneHooked", { count: services.length })}</Text>
			) : null}
			{byFolder(matching.slice(0, most)).map(([folder, inFolder]) => (
				<Paper key={folder} withBorder role="group" aria-label={folder || t("root")}>
					<FolderGroup
						site={site}
						actions={actions}
						folder={folder}
						count={inAll.get(folder)?.length ?? 0}
						services={inFolder}
						ticked={ticked}
						onTick={onTick}
					/>
				</Paper>
			))}
			{matching.length > most ? (
				<Group>
					<Button onClick={() => setMost(most + atOnce)}>{t("more", { shown: most, count: matching.length })}</Button>
				</Group>
			) : null}
		</Stack>
	);
});
