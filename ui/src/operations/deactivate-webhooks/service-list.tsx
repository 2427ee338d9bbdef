import { Button, Checkbox, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceView, WebhookView } from "@/bridge";

interface ServiceListProps {
	services: readonly ServiceView[];
	ticked: readonly string[];
	onTick: (paths: string[]) => void;
	refresh: () => void;
}

export function activeWebhooks(service: ServiceView): WebhookView[] {
	return service.webhooks.filter(({ active }) => active);
}

/** The services by folder, with what would fall silent. */
export function ServiceList({ services, ticked, onTick, refresh }: ServiceListProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const [search, setSearch] = useState("");
	const shown = services.filter(({ path }) => path.toLowerCase().includes(search.trim().toLowerCase()));
	const loud = shown.filter((service) => activeWebhooks(service).length > 0).map(({ path }) => path);
	return (
		<Stack>
			<Group align="flex-end" gap="xs">
				<TextInput
					flex={1}
					label={t("search")}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={search}
					onChange={(event) => setSearch(event.currentTarget.value)}
				/>
				<Button
					variant="default"
					disabled={loud.length === 0}
					onClick={() => onTick([...new Set([...ticked, ...loud])])}
				>
					{t("selectAll")}
				</Button>
				<Button variant="default" onClick={refresh}>
					{t("refresh")}
				</Button>
			</Group>
			{shown.length === 0 ? <Text c="dimmed">{t("noMatch", { search })}</Text> : null}
			<Checkbox.Group value={[...ticked]} onChange={onTick}>
				<Stack>
					{byFolder(shown).map(([folder, inFolder]) => (
						<Paper key={folder} withBorder p="md" role="group" aria-label={folder || t("root")}>
							<Stack gap="sm">
								<Text size="sm" fw={600}>
									{folder || t("root")}
								</Text>
								{inFolder.map((service) => (
									<Service key={service.path} service={service} />
								))}
							</Stack>
						</Paper>
					))}
				</Stack>
			</Checkbox.Group>
		</Stack>
	);
}

function Service({ service }: { service: ServiceView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const active = activeWebhooks(service).length;
	const names = service.webhooks.map(({ name, active: loud }) => (loud ? name : t("inactive", { name })));
	return (
		<Checkbox
			value={service.path}
			disabled={active === 0}
			label={`${service.name}.${service.type}`}
			aria-label={service.path}
			description={[active === 0 ? t("noneActive") : t("active", { count: active }), ...names].join(" · ")}
		/>
	);
}

/** In the order of names, the root first. */
function byFolder(services: readonly ServiceView[]): [string, ServiceView[]][] {
	const folders = new Map<string, ServiceView[]>();
	for (const service of services) folders.set(service.folder, [...(folders.get(service.folder) ?? []), service]);
	return [...folders].sort(([one], [other]) => one.localeCompare(other));
}
