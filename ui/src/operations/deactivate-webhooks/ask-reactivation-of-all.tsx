import { Box, List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { formatList } from "@/lib/format";
import { useTargetNameOf } from "@/lib/target-name";

interface AskReactivationOfAllProps {
	opened: boolean;
	entries: readonly DeactivationView[];
	/** Names of the webhooks of an entry that are reactivated. */
	namesOf: (entry: DeactivationView) => readonly string[];
	site: SiteView;
	onCancel: () => void;
	onConfirm: (reason: string) => void;
}

/** Names what is about to be active again of several entries. */
export function AskReactivationOfAll({
	opened,
	entries,
	namesOf,
	site,
	onCancel,
	onConfirm,
}: AskReactivationOfAllProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onCancel}
			title={t("reactivationOfAll.title", { count: entries.length, site: target })}
			site={site}
			confirm={t("reactivationOfAll.confirm")}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			<Text>{t("reactivationOfAll.body")}</Text>
			<Box mah={240} tabIndex={0} role="group" aria-label={t("reactivationOfAll.list")} style={{ overflow: "auto" }}>
				<List spacing="xs">
					{entries.map((entry) => (
						<List.Item key={entry.id} style={{ overflowWrap: "anywhere" }}>
							<Text span>{entry.service}</Text>
							<Text c="dimmed">{formatList(namesOf(entry))}</Text>
						</List.Item>
					))}
				</List>
			</Box>
		</ConfirmDialog>
	);
}
