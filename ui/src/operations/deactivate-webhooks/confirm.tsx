import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServiceView } from "@/bridge";
import { formatList } from "@/lib/format";
import { activeWebhooks } from "./service-list";

interface ConfirmProps {
	/** Empty: nothing is asked. */
	services: readonly ServiceView[];
	onCancel: () => void;
	onConfirm: () => void;
}

/** Names what falls silent, before it does. */
export function Confirm({ services, onCancel, onConfirm }: ConfirmProps) {
	const { t } = useTranslation("deactivateWebhooks");
	return (
		<Modal
			opened={services.length > 0}
			onClose={onCancel}
			title={t("confirmTitle")}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<Stack>
				<List size="sm">
					{services.map((service) => (
						<List.Item key={service.path} style={{ overflowWrap: "anywhere" }}>
							<Text size="sm" fw={500} span>
								{service.path}
							</Text>
							<Text size="sm" c="dimmed">
								{formatList(activeWebhooks(service).map(({ name }) => name))}
							</Text>
						</List.Item>
					))}
				</List>
				<Text size="sm">{t("confirmBody")}</Text>
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={onCancel} data-autofocus>
						{t("cancel")}
					</Button>
					<Button onClick={onConfirm}>{t("confirm")}</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
