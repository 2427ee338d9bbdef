import { Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ItemValidation } from "@/bridge";
import { Time } from "@/components/time";

const icons = {
	valid: IconCircleCheck,
	warnings: IconAlertTriangle,
	notValidated: IconHelpCircle,
	invalid: IconAlertTriangle,
};
const tones = { valid: "succeeded", warnings: "warnings", notValidated: "unknown", invalid: "warnings" };

export function ItemVerdict({ validation: { verdict, at } }: { validation: ItemValidation }) {
	const { t } = useTranslation("common");
	const Icon = icons[verdict];
	return (
		<Group gap="xs" wrap="nowrap">
			<Icon size={16} aria-hidden color={`var(--tone-${tones[verdict]})`} />
			<Text fw={600} component="span">
				{t(`validation.${verdict}`)}
			</Text>
			<Text c="dimmed" component="span">
				<Time at={at} />
			</Text>
		</Group>
	);
}
