import { Checkbox, Divider, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView } from "@/bridge";
import { ServiceRow } from "./service-row";
import type { Actions } from "./use-actions";
import { canBeDeactivated } from "./webhooks";

interface FolderGroupProps {
	site: SiteView;
	actions: Actions;
	/** Empty for the root. */
	folder: string;
	/** How many services it has, also those that are not drawn yet. */
	count: number;
	services: readonly ServiceView[];
	ticked: readonly string[];
	onTick: (paths: string[]) => void;
}

/** The services of one folder, and all of them at once. */
export function FolderGroup({ site, actions, folder, count, services, ticked, onTick }: FolderGroupProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const loud = services.filter(canBeDeactivated).map(({ path }) => path);
	const chosen = new Set(ticked);
	const held = loud.filter((path) => chosen.has(path));
	const all = loud.length > 0 && held.length === loud.length;
	const toggle = () => {
		const here = new Set(loud);
		const others = ticked.filter((path) => !here.has(path));
		onTick(all ? others : [...others, ...loud]);
	};
	const name = folder || t("root");
	return (
		<Stack gap={0}>
			<Group px="md" py="xs">
				<Checkbox
					label={name}
					aria-label={t("selectFolder", { folder: name })}
					styles={{ label: { fontWeight: 600 } }}
					disabled={loud.length === 0}
					checked={all}
					indeterminate={held.length > 0 && !all}
					onChange={toggle}
				/>
				<Text c="dimmed">{t("inFolder", { count })}</Text>
			</Group>
			<Divider />
			<Stack gap="sm" px="md" py="sm">
				{services.map((service, at) => (
					<ServiceRow
						key={service.path || at}
						site={site}
						actions={actions}
						service={service}
						ticked={chosen.has(service.path)}
						onTick={(tick) => onTick(tick ? [...ticked, service.path] : ticked.filter((path) => path !== service.path))}
					/>
				))}
			</Stack>
		</Stack>
	);
}
