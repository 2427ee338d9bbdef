import { Radio, Table, Text, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ParticipantView } from "@/bridge";

interface ParticipantTableProps {
	participants: readonly ParticipantView[];
	picked: string | null;
	onPick: (name: string) => void;
}

/** Tells participants apart: one portal may take part in several collaborations. */
export function nameOf({ collaborationId, participantId }: ParticipantView): string {
	return `${collaborationId} ${participantId}`;
}

export function ParticipantTable({ participants, picked, onPick }: ParticipantTableProps) {
	const { t } = useTranslation("updateParticipant");
	return (
		<Table.ScrollContainer minWidth={560}>
			<Table withTableBorder highlightOnHover aria-label={t("table")} layout="fixed">
				<Table.Thead>
					<Table.Tr>
						<Table.Th w={40}>
							<VisuallyHidden>{t("choice")}</VisuallyHidden>
						</Table.Th>
						<Table.Th>{t("portal")}</Table.Th>
						<Table.Th>{t("collaboration")}</Table.Th>
						<Table.Th w={90}>{t("role")}</Table.Th>
						<Table.Th>{t("contact")}</Table.Th>
					</Table.Tr>
				</Table.Thead>
				<Table.Tbody>
					{participants.map((one) => {
						const name = nameOf(one);
						return (
							<Table.Tr key={name} onClick={() => onPick(name)} style={{ cursor: "pointer" }}>
								<Table.Td>
									<Radio
										name="participant"
										aria-label={t("pick", { portal: one.portalName, collaboration: one.collaborationName })}
										checked={picked === name}
										onChange={() => onPick(name)}
									/>
								</Table.Td>
								<Cell main={one.portalName} second={one.portalUrl} />
								<Cell main={one.collaborationName} />
								<Table.Td>{one.role}</Table.Td>
								<Cell
									main={`${one.contactFirstname} ${one.contactLastname}`.trim() || t("noContact")}
									second={one.contactEmailAddress}
								/>
							</Table.Tr>
						);
					})}
				</Table.Tbody>
			</Table>
		</Table.ScrollContainer>
	);
}

function Cell({ main, second = "" }: { main: string; second?: string }) {
	return (
		<Table.Td style={{ overflowWrap: "anywhere" }}>
			{main}
			{second ? (
				<Text size="xs" c="dimmed">
					{second}
				</Text>
			) : null}
		</Table.Td>
	);
}
