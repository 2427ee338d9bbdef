import { Box, List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { formatList } from "@/lib/format";
import { useTargetNameOf } from "@/lib/target-name";
import { countLeft, namesLeft } from "@/lib/webhooks-left";

interface AskReactivationOfAllProps {
	opened: boolean;
	entries: readonly DeactivationView[];
	site: SiteView;
	onCancel: () => void;
	onConfirm: (reason: string) => void;
}

/** Confirmation before the webhooks of several entries are reactivated. */
export function AskReactivationOfAll({ opened, entries, site, onCancel, onConfirm }: AskReactivationOfAllProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const count = countLeft(entries);
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onCancel}
			title={t("reactivation.title", { count, site: target })}
			site={site}
			confirm={t("reactivation.confirm", { count })}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			<Text>{t("reactivationOfAll.body")}</Text>
			<Box mah={240} tabIndex={0} role="group" aria-label={t("reactivationOfAll.list")} style={{ overflow: "auto" }}>
				<List spacing="xs">
					{entries.map((entry) => (
						<List.Item key={entry.id} mod="anywhere">
							<Text span>{entry.service}</Text>
							<Text c="dimmed">{formatList(namesLeft(entry))}</Text>
						</List.Item>
					))}
				</List>
			</Box>
		</ConfirmDialog>
	);
}
