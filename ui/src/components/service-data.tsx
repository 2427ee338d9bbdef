import { Group, Stack, Text } from "@mantine/core";
import {
	IconAlertTriangle,
	IconCircleCheck,
	IconDatabase,
	IconDatabaseSearch,
	IconHelpCircle,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServiceData as Data, ItemValidation, Parameter, Target } from "@/bridge";
import { Time } from "@/components/text";
import { parentPathOf } from "@/lib/format";
import { useGapText } from "@/lib/gap-text";
import { useBring } from "@/lib/navigation";
import { operationThat, useOperationUis } from "@/lib/operation-ui";
import { useCommand } from "@/lib/use-command";
import { CommandButton, ProblemNotice } from "./notice";
import { Lines, LinkButton } from "./text";

interface ServiceDataProps {
	target: Target;
	/** Path of the service, for example `Parcels/Zoning.MapServer`. */
	service: string;
}

/** Button that reads the manifest of a service that does not run, and links to the data store items it needs. */
export function ServiceData({ target, service }: ServiceDataProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceData" });
	const read = useCommand((backend) => backend.serviceData(target, service));
	return (
		<Stack gap={4} mt="xs">
			{read.data ? (
				<Stack gap={4} role="status">
					<Found target={target} service={service} data={read.data} />
				</Stack>
			) : (
				<Group>
					<CommandButton
						command={read}
						label={t("find")}
						icon={IconDatabaseSearch}
						aria-label={t("label", { service })}
						// Wraps in a narrow column.
						h="auto"
						mih={30}
						py={4}
						maw="100%"
						styles={{
							label: { whiteSpace: "normal", lineHeight: "var(--mantine-line-height-lg)", textAlign: "start" },
						}}
					/>
				</Group>
			)}
			<ProblemNotice problem={read.error} />
		</Stack>
	);
}

function Found({ target, service, data }: ServiceDataProps & { data: Data }) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceData" });
	const gapText = useGapText();
	const { items, elsewhere, gap } = data;
	return (
		<>
			{items.length + elsewhere.length === 0 ? <Text mod="anywhere">{t("none", { service })}</Text> : null}
			{items.length > 0 ? <Text mod="anywhere">{t("items", { service })}</Text> : null}
			{items.map(({ path, isCertain, validation }) => (
				<Group key={path} gap="xs">
					<ToItems target={target} filter={{ name: "parentPath", value: parentPathOf(path) }} narrow={path}>
						{isCertain ? t("item", { path }) : t("perhaps", { item: t("item", { path }) })}
					</ToItems>
					{validation ? <ItemVerdict validation={validation} /> : null}
				</Group>
			))}
			{elsewhere.length > 0 ? (
				<>
					<Text>{t("elsewhere")}</Text>
					<Lines lines={elsewhere} />
				</>
			) : null}
			{gap ? <Text>{gapText(gap, "")}</Text> : null}
		</>
	);
}

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

interface ToItemsProps {
	target: Target;
	filter: Parameter;
	/** Words that filter the found items. */
	narrow: string;
	children: string;
}

export function ToItems({ target, filter, narrow, children }: ToItemsProps) {
	const bring = useBring();
	const key = operationThat(useOperationUis(), ({ finds }) => finds?.group === "items");
	const find = () => bring(target, key, { parameters: [filter], sentAt: null, narrow });
	return (
		<LinkButton ta="start" mod="anywhere" onClick={find}>
			<IconDatabase size={14} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 6 }} />
			{children}
		</LinkButton>
	);
}
