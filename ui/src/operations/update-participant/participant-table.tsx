import { Radio, Table, Text, VisuallyHidden } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { ParticipantView } from "@/bridge";
import { Small } from "@/components/text";
import { GapRow, SortHeader, type SortOrder, TwoLines, WideTable } from "@/components/wide-table";
import { nameOf } from "./difference";

export type Column = "portal" | "contact";

interface ParticipantTableProps {
	/** Grouped by collaboration. */
	participants: readonly ParticipantView[];
	/** All participants of the portal, to find the host of a collaboration. */
	all: readonly ParticipantView[];
	picked: ParticipantView | null;
	onPick: (participant: ParticipantView) => void;
	order: SortOrder<Column> | null;
	onOrder: (order: SortOrder<Column>) => void;
}

/** Returns a unique key: a portal can take part in several collaborations. */
export function keyOf({ collaborationId, participantId }: ParticipantView): string {
	return `${collaborationId} ${participantId}`;
}

export function ParticipantTable({ participants, all, picked, onPick, order, onOrder }: ParticipantTableProps) {
	const { t } = useTranslation("updateParticipant");
	const { t: common } = useTranslation();
	// The capitalization differs between portals.
	const roleOf = ({ role }: ParticipantView) => {
		const plain = role.toLowerCase();
		return plain === "host" || plain === "guest" ? t(`roles.${plain}`) : role;
	};
	return (
		<WideTable
			picks
			minWidth={480}
			label={t("table")}
			head={
				<Table.Thead>
					<Table.Tr>
						<Table.Th w={40}>
							<VisuallyHidden>{t("choice")}</VisuallyHidden>
						</Table.Th>
						<SortHeader column="portal" label={t("portal")} order={order} onOrder={onOrder} />
						<Table.Th w={80}>{t("role")}</Table.Th>
						<SortHeader column="contact" label={t("contact")} order={order} onOrder={onOrder} />
					</Table.Tr>
				</Table.Thead>
			}
		>
			{participants.map((one, at) => {
				const isUnreadable = one.participantId === "";
				const canBePicked = one.hostedElsewhere === null && !isUnreadable;
				// Unreadable participants have no IDs.
				const key = isUnreadable ? `${keyOf(one)}${at}` : keyOf(one);
				const isPicked = picked !== null && keyOf(picked) === key;
				const isFirst = participants[at - 1]?.collaborationId !== one.collaborationId;
				const head =
					isFirst && (one.collaborationName || one.collaborationId) ? <Collaboration of={one} all={all} /> : null;
				if (one.gap) {
					return (
						<Fragment key={key}>
							{head}
							<GapRow gap={one.gap} of={one.collaborationName} />
						</Fragment>
					);
				}
				return (
					<Fragment key={key}>
						{head}
						<Table.Tr
							// Rows that cannot be selected have no hover effect.
							{...(canBePicked
								? { onClick: () => onPick(one), style: { cursor: "pointer" } }
								: { c: "dimmed", bg: "transparent" })}
							{...(isPicked ? { bg: "var(--chosen-ground)" } : {})}
						>
							<Table.Td>
								<Radio
									name="participant"
									aria-label={t("pick", { portal: one.portalName, collaboration: one.collaborationName })}
									checked={isPicked}
									disabled={!canBePicked}
									aria-describedby={canBePicked ? undefined : isUnreadable ? `unreadable-${at}` : headOf(one)}
									onChange={() => onPick(one)}
								/>
							</Table.Td>
							<TwoLines main={one.portalName} second={one.portalUrl}>
								{isUnreadable ? (
									<Text id={`unreadable-${at}`} size="xs">
										{common("unreadableEntry")}
									</Text>
								) : null}
							</TwoLines>
							<Table.Td>{roleOf(one)}</Table.Td>
							<TwoLines main={nameOf(one) || t("noContact")} second={one.contactEmailAddress} />
						</Table.Tr>
					</Fragment>
				);
			})}
		</WideTable>
	);
}

/** Heading of a collaboration with its host, because only the host can change a contact. */
function Collaboration({ of, all }: { of: ParticipantView; all: readonly ParticipantView[] }) {
	const { t } = useTranslation("updateParticipant");
	const host = all.find(
		({ collaborationId, role }) => collaborationId === of.collaborationId && role.toLowerCase() === "host",
	);
	const elsewhere = of.hostedElsewhere;
	const words = elsewhere === null ? host && t("hostedBy", { portal: host.portalName }) : null;
	return (
		<Table.Tr bg="var(--head-ground)">
			<Table.Th colSpan={4} scope="colgroup" mod="anywhere">
				{of.collaborationName || of.collaborationId}
				{words ? (
					<>
						{" "}
						<Small span fw={400}>
							{words}
						</Small>
					</>
				) : null}
				{elsewhere === null ? null : (
					<Text id={headOf(of)} size="xs" fw={400}>
						{t("hostedElsewhere", { portal: elsewhere })}
					</Text>
				)}
			</Table.Th>
		</Table.Tr>
	);
}

const headOf = ({ collaborationId }: ParticipantView) => `collaboration-${collaborationId}`;
