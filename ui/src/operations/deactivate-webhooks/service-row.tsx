import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBellOff, IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { useGapText } from "@/lib/gap-text";
import { joined } from "@/messages/isolated";
import type { Actions } from "./use-actions";
import { WebhookRows } from "./webhook-rows";
import { activeNames, canBeDeactivated } from "./webhooks";

interface ServiceRowProps {
	site: SiteView;
	actions: Actions;
	service: ServiceView;
	ticked: boolean;
	onTick: (ticked: boolean) => void;
}

/** Names of webhooks in the row; all of them are in what it opens to. */
const named = 3;

/** A service with its webhooks, which are switched off together, or one by one in what the row opens to. */
export function ServiceRow({ site, actions, service, ticked, onTick }: ServiceRowProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { t: common } = useTranslation();
	const gapText = useGapText();
	const [isOpen, { toggle }] = useDisclosure(false);
	if (service.gap) {
		const of = service.name ? `${service.name}.${service.type}` : service.folder;
		return (
			<Text role="note" style={{ overflowWrap: "anywhere" }}>
				{gapText(service.gap, of)}
			</Text>
		);
	}
	if (service.path === "") return <Checkbox checked={false} disabled label={common("unreadableEntry")} />;
	const webhooks = service.webhooks ?? [];
	const active = activeNames(service);
	const isOff = active?.length === 0;
	const counts = active === null ? t("reported", { count: webhooks.length }) : t("active", { count: active.length });
	const words = isOff ? t("deactivated") : counts;
	const Chevron = isOpen ? IconChevronUp : IconChevronDown;
	return (
		<Stack gap="xs">
			<Group justify="space-between" align="flex-start" gap="4px 16px">
				<Checkbox
					checked={ticked}
					onChange={(event) => onTick(event.currentTarget.checked)}
					disabled={!canBeDeactivated(service)}
					label={<Breakable>{`${service.name}.${service.type}`}</Breakable>}
					aria-label={service.path}
					description={service.webhooks === null ? t("unlisted") : isOpen ? null : <Names webhooks={webhooks} />}
					styles={{
						body: { minWidth: 0 },
						labelWrapper: { overflowWrap: "anywhere", minWidth: 0 },
						// What cannot be picked is read all the same.
						...(canBeDeactivated(service) ? {} : { label: { color: "var(--mantine-color-dimmed)" } }),
					}}
					miw={0}
					flex="1 1 12rem"
				/>
				{webhooks.length > 0 ? (
					<Button
						flex="none"
						leftSection={isOff ? <IconBellOff size={14} aria-hidden /> : null}
						rightSection={<Chevron size={14} aria-hidden />}
						aria-expanded={isOpen}
						aria-label={t("openService", { words, service: service.path })}
						onClick={toggle}
					>
						{words}
					</Button>
				) : service.webhooks ? (
					<Text c="dimmed" style={{ flex: "none" }}>
						{t("noWebhooks")}
					</Text>
				) : null}
			</Group>
			{isOpen ? <WebhookRows site={site} service={service} actions={actions} /> : null}
		</Stack>
	);
}

function Names({ webhooks }: { webhooks: NonNullable<ServiceView["webhooks"]> }) {
	const { t } = useTranslation("deactivateWebhooks");
	const names = webhooks.slice(0, named).map(({ name, active }) => {
		if (active === null) return t("unreported", { name });
		return active ? name : t("inactive", { name });
	});
	const first = joined(names, "\u00a0· ");
	return webhooks.length > named ? t("moreNames", { names: first, count: webhooks.length - named }) : first;
}
