import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { LongList } from "@/components/long-text";
import { formatList } from "@/lib/format";
import { useTargetNameOf } from "@/lib/target-name";
import { type Chosen, countFalling } from "./webhooks";
import { WhyField } from "./why-field";

interface ConfirmProps {
	opened: boolean;
	services: readonly Chosen[];
	site: SiteView;
	why: string;
	onWhy: (why: string) => void;
	onCancel: () => void;
	onConfirm: (confirmation: string) => void;
}

/** Services listed in the confirmation; the list behind it shows all. */
const listedServices = 50;

/** Confirmation before webhooks are deactivated. */
export function Confirm({ opened, services, site, why, onWhy, onCancel, onConfirm }: ConfirmProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const falling = countFalling(services);
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onCancel}
			title={
				falling === null
					? t("confirmUnlisted", { count: services.length, site: target })
					: t("confirmTitle", { count: falling, site: target })
			}
			size="md"
			site={site}
			confirm={t("confirm", { count: falling ?? 2 })}
			toType={site.confirmByTyping.deactivation}
			hasReason={false}
			onConfirm={onConfirm}
		>
			<LongList label={t("toDeactivate")}>
				<List spacing="xs">
					{services.slice(0, listedServices).map((service) => (
						<List.Item key={service.path} mod="anywhere">
							<Text span>{service.path}</Text>
							{service.active ? <Text c="dimmed">{formatList(service.active)}</Text> : null}
						</List.Item>
					))}
				</List>
				{services.length > listedServices ? (
					<Text mt="xs">{t("andMore", { count: services.length - listedServices })}</Text>
				) : null}
			</LongList>
			<Text>{falling === null ? t("unlistedBody") : t("confirmBody", { count: falling })}</Text>
			<WhyField why={why} onWhy={onWhy} />
		</ConfirmDialog>
	);
}
