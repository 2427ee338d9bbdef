import { Accordion, Badge, Group, Paper, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServiceStart } from "@/bridge";
import type { Line, Severity } from "./lines";

const signs = {
	failed: [IconCircleX, "var(--tone-failed)"],
	warning: [IconAlertTriangle, "var(--tone-warnings)"],
	note: [IconInfoCircle, "var(--mantine-color-dimmed)"],
} as const;

interface ReportLineProps {
	line: Line;
	opened: boolean;
	onToggle: (id: string) => void;
}

/** One message; a service that did not start opens to the machines' own accounts. */
export function ReportLine({ line, opened, onToggle }: ReportLineProps) {
	const { severity, message } = line;
	const { service } = message;
	if (!service) {
		return (
			<Paper withBorder px="sm" py={6}>
				<Headline severity={severity} text={message.message} state={severity === "note" ? "" : message.level} />
			</Paper>
		);
	}
	return (
		<Accordion
			variant="contained"
			chevronPosition="right"
			value={opened ? line.id : null}
			onChange={() => onToggle(line.id)}
		>
			<Accordion.Item value={line.id}>
				<Accordion.Control>
					<Headline severity={severity} text={service.service || message.message} state={service.state} />
					<Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
						{service.message || message.message}
					</Text>
				</Accordion.Control>
				<Accordion.Panel>
					<Machines service={service} />
				</Accordion.Panel>
			</Accordion.Item>
		</Accordion>
	);
}

function Headline({ severity, text, state }: { severity: Severity; text: string; state: string }) {
	const { t } = useTranslation("importServer");
	const [Icon, color] = signs[severity];
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start">
			<Icon size={18} color={color} style={{ flex: "none", marginTop: 2 }} aria-label={t(`level.${severity}`)} />
			<Text size="sm" fw={severity === "note" ? 400 : 600} flex={1} style={{ overflowWrap: "anywhere" }}>
				{text}
			</Text>
			{state ? (
				<Badge variant="default" style={{ flex: "none" }}>
					{state}
				</Badge>
			) : null}
		</Group>
	);
}

function Machines({ service }: { service: ServiceStart }) {
	const { t } = useTranslation("importServer");
	if (service.machines.length === 0) return <Text size="sm">{t("noMachines")}</Text>;
	return (
		<Stack gap="sm">
			{service.machines.map(({ machine, state, reports }, place) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a report never changes, and a machine may stand in it twice
				<Stack key={place} gap={4}>
					<Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
						{`${machine} · ${state}`}
					</Text>
					{reports.map((report, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: as above
						<Text key={index} size="sm" ps="md" style={{ overflowWrap: "anywhere" }}>
							{`${report.state}: ${report.message}`}
						</Text>
					))}
				</Stack>
			))}
		</Stack>
	);
}
