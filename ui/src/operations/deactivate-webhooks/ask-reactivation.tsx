import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { siteEdge } from "@/lib/site-color";

interface AskReactivationProps {
	/** `null`: nothing is asked. */
	entry: DeactivationView | null;
	site: SiteView;
	onCancel: () => void;
	onConfirm: (entry: DeactivationView) => void;
}

/** Names what is about to be active again. */
export function AskReactivation({ entry, site, onCancel, onConfirm }: AskReactivationProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const active = entry?.active ?? [];
	return (
		<Modal
			opened={entry !== null}
			onClose={onCancel}
			title={t("reactivation.title", { count: active.length, site: site.name })}
			styles={siteEdge(site.color)}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<Stack>
				<Text size="sm" style={{ overflowWrap: "anywhere" }}>
					{t("reactivation.body", { service: entry?.service ?? "" })}
				</Text>
				<List size="sm">
					{active.map((name) => (
						<List.Item key={name} style={{ overflowWrap: "anywhere" }}>
							{name}
						</List.Item>
					))}
				</List>
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={onCancel} data-autofocus>
						{t("cancel")}
					</Button>
					<Button onClick={() => (entry ? onConfirm(entry) : undefined)}>
						{t("reactivation.confirm", { count: active.length })}
					</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
