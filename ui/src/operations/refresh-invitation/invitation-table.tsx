import { Badge, Radio, Table, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconClock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis } from "@/bridge";
import { formatAgo, formatExactTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";

interface InvitationTableProps {
	invitations: readonly InvitationView[];
	/** When the list came. */
	readAt: Millis;
	picked: string | null;
	onPick: (id: string) => void;
}

/** Below this a person should act today. */
const soon = 24 * 60 * 60 * 1_000;

export function InvitationTable({ invitations, readAt, picked, onPick }: InvitationTableProps) {
	const { t } = useTranslation("refreshInvitation");
	const sorted = [...invitations].sort((one, other) => (one.expiration ?? 0) - (other.expiration ?? 0));
	return (
		<Table.ScrollContainer minWidth={560}>
			<Table withTableBorder highlightOnHover aria-label={t("table")} layout="fixed">
				<Table.Thead>
					<Table.Tr>
						<Table.Th w={40}>
							<VisuallyHidden>{t("choice")}</VisuallyHidden>
						</Table.Th>
						<Table.Th>{t("guest")}</Table.Th>
						<Table.Th>{t("collaboration")}</Table.Th>
						<Table.Th w={130}>{t("status")}</Table.Th>
						<Table.Th w={170}>{t("expires")}</Table.Th>
					</Table.Tr>
				</Table.Thead>
				<Table.Tbody>
					{sorted.map((one) => (
						<Table.Tr key={one.invitationId} onClick={() => onPick(one.invitationId)} style={{ cursor: "pointer" }}>
							<Table.Td>
								<Radio
									name="invitation"
									aria-label={t("pick", { guest: one.guestPortalUrl, collaboration: one.collaborationName })}
									checked={picked === one.invitationId}
									onChange={() => onPick(one.invitationId)}
								/>
							</Table.Td>
							<Table.Td style={{ overflowWrap: "anywhere" }}>{one.guestPortalUrl}</Table.Td>
							<Table.Td style={{ overflowWrap: "anywhere" }}>{one.collaborationName}</Table.Td>
							<Table.Td>{one.status}</Table.Td>
							<Table.Td>
								{one.expiration === null ? t("noExpiry") : <Expiry at={endOf(one, readAt) ?? one.expiration} />}
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Table.ScrollContainer>
	);
}

/** By this computer's clock: what is left by the portal's own, counted from when the list came. */
function endOf({ expiresIn }: InvitationView, readAt: Millis): Millis | null {
	return expiresIn === null ? null : readAt + expiresIn;
}

/** When it runs out, in words; the sign in front says how urgent that is. */
function Expiry({ at }: { at: Millis }) {
	const now = useNow(60_000);
	const [Icon, tone] =
		at <= now ? [IconCircleX, "failed"] : at - now < soon ? [IconAlertTriangle, "warnings"] : [IconClock, null];
	const color = tone ? `var(--tone-${tone})` : "var(--mantine-color-dimmed)";
	return (
		<Tooltip label={formatExactTime(at)}>
			<Badge variant="default" tt="none" fw={500} leftSection={<Icon size={14} color={color} aria-hidden />}>
				{formatAgo(at, now)}
			</Badge>
		</Tooltip>
	);
}
