import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useTargetNameOf } from "@/lib/target-name";

interface AskReactivationProps {
	opened: boolean;
	service: string;
	names: readonly string[];
	site: SiteView;
	onCancel: () => void;
	onConfirm: (reason: string) => void;
}

/** Confirmation before webhooks of one entry are reactivated. */
export function AskReactivation({ opened, service, names, site, onCancel, onConfirm }: AskReactivationProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const count = names.length;
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onCancel}
			title={t("reactivation.title", { count, site: target })}
			size="md"
			site={site}
			confirm={t("reactivation.confirm", { count })}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			<Text mod="anywhere">{t("reactivation.body", { count, service })}</Text>
			<List>
				{names.map((name) => (
					<List.Item key={name} mod="anywhere">
						{name}
					</List.Item>
				))}
			</List>
		</ConfirmDialog>
	);
}
