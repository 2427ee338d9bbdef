import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView, WebhookView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { LongList } from "@/components/long-text";
import { Lines } from "@/components/text";
import { formatList } from "@/lib/format";
import { useTargetNameOf } from "@/lib/target-name";
import { countLeft, namesLeft } from "@/lib/webhooks-left";

interface AskReactivationProps {
	/** Entries whose webhooks are reactivated; none closes the dialog. */
	entries: readonly DeactivationView[];
	/** Single webhook of the entry; omitted for all of them. */
	webhook?: WebhookView | undefined;
	site: SiteView;
	onCancel: () => void;
	onConfirm: (reason: string) => void;
}

/** Confirmation before webhooks of one or several entries are reactivated. */
export function AskReactivation({ entries, webhook, site, onCancel, onConfirm }: AskReactivationProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const [only, ...others] = entries;
	const count = webhook ? 1 : countLeft(entries);
	return (
		<ConfirmDialog
			opened={entries.length > 0}
			onClose={onCancel}
			title={t("reactivation.title", { count, site: target })}
			site={site}
			confirm={t("reactivation.confirm", { count })}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			{only && others.length === 0 ? (
				<>
					<Text mod="anywhere">{t("reactivation.body", { count, service: only.service })}</Text>
					<Lines lines={webhook ? [webhook.name] : namesLeft(only)} />
				</>
			) : (
				<>
					<Text>{t("reactivationOfAll.body")}</Text>
					<LongList label={t("reactivationOfAll.list")}>
						<List spacing="xs">
							{entries.map((entry) => (
								<List.Item key={entry.id} mod="anywhere">
									<Text span>{entry.service}</Text>
									<Text c="dimmed">{formatList(namesLeft(entry))}</Text>
								</List.Item>
							))}
						</List>
					</LongList>
				</>
			)}
		</ConfirmDialog>
	);
}
