import { Badge, Checkbox, Divider, Group, Stack, Text } from "@mantine/core";
import { IconBellOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { useGapText } from "@/lib/gap-text";
import { joined } from "@/messages/isolated";
import { OneWebhook } from "./one-webhook";
import type { Actions } from "./use-actions";
import { activeNames, canBeDeactivated } from "./webhooks";

interface FolderGroupProps {
	site: SiteView;
	deactivateOne: Actions["deactivateOne"];
	/** Empty for the root. */
	folder: string;
	/** How many services it has, also those that are not drawn yet. */
	count: number;
	services: readonly ServiceView[];
	ticked: readonly string[];
	onTick: (paths: string[]) => void;
}

/** The services of one folder, and all of them at once. */
export function FolderGroup({ site, deactivateOne, folder, count, services, ticked, onTick }: FolderGroupProps) {
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
					<Service
						key={service.path || at}
						site={site}
						deactivateOne={deactivateOne}
						service={service}
						ticked={chosen.has(service.path)}
						onTick={(tick) => onTick(tick ? [...ticked, service.path] : ticked.filter((path) => path !== service.path))}
					/>
				))}
			</Stack>
		</Stack>
	);
}

interface ServiceProps extends Pick<FolderGroupProps, "site" | "deactivateOne"> {
	service: ServiceView;
	ticked: boolean;
	onTick: (ticked: boolean) => void;
}

function Service({ site, deactivateOne, service, ticked, onTick }: ServiceProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { t: common } = useTranslation();
	const gapText = useGapText();
	if (service.gap) {
		const of = service.name ? `${service.name}.${service.type}` : service.folder;
		return (
			<Text role="note" style={{ overflowWrap: "anywhere" }}>
				{gapText(service.gap, of)}
			</Text>
		);
	}
	if (service.path === "") return <Checkbox checked={false} disabled label={common("unreadableEntry")} />;
	const active = activeNames(service);
	const names = service.webhooks?.map(({ name, active: loud }) => {
		if (loud === null) return t("unreported", { name });
		return loud ? name : t("inactive", { name });
	});
	return (
		<Group justify="space-between" align="flex-start" gap="4px 16px">
			<Checkbox
				checked={ticked}
				onChange={(event) => onTick(event.currentTarget.checked)}
				disabled={!canBeDeactivated(service)}
				label={<Breakable>{`${service.name}.${service.type}`}</Breakable>}
				aria-label={service.path}
				description={names ? joined(names, "\u00a0· ") : t("unlisted")}
				styles={{
					body: { minWidth: 0 },
					labelWrapper: { overflowWrap: "anywhere", minWidth: 0 },
					// What cannot be picked is read all the same.
					...(canBeDeactivated(service) ? {} : { label: { color: "var(--mantine-color-dimmed)" } }),
				}}
				miw={0}
				flex="1 1 12rem"
			/>
			{active === null ? null : active.length > 0 ? (
				<Group gap="xs" style={{ flex: "none" }}>
					<OneWebhook site={site} service={service} deactivateOne={deactivateOne} />
					<Badge variant="default" tt="none" fw={500}>
						{t("active", { count: active.length })}
					</Badge>
				</Group>
			) : service.webhooks?.length ? (
				<Badge
					variant="default"
					tt="none"
					fw={500}
					leftSection={<IconBellOff size={12} aria-hidden />}
					style={{ flex: "none" }}
				>
					{t("deactivated")}
				</Badge>
			) : (
				<Text c="dimmed" style={{ flex: "none" }}>
					{t("noWebhooks")}
				</Text>
			)}
		</Group>
	);
}
