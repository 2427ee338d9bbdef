import { Group, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconArrowRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Contact } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { formatList } from "@/lib/format";
import { changedFields } from "./order";

interface DifferenceProps {
	/** `null` if the portal does not report the contact. */
	present: Contact | null;
	wanted: Contact;
}

/** Changed fields with their current and new values. */
export function Difference({ present, wanted }: DifferenceProps) {
	const { t } = useTranslation("updateParticipant");
	const none = { contactFirstname: "", contactLastname: "", contactEmailAddress: "" };
	return (
		<Table withTableBorder aria-label={t("difference")} layout="fixed">
			<Heads of={[[t("field"), { w: 115 }], ...(present ? [t("before")] : []), t("after")]} />
			<Table.Tbody>
				{changedFields(present ?? none, wanted).map((field) => (
					<Table.Tr key={field}>
						<Table.Td>{t(field)}</Table.Td>
						{present ? (
							<Table.Td mod="anywhere">
								<Breakable>{present[field] || t("noContact")}</Breakable>
							</Table.Td>
						) : null}
						<Table.Td mod="anywhere" fw={600}>
							<Breakable>{wanted[field].trim()}</Breakable>
						</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}

/** The same differences for a table cell. */
export function DifferenceLines({ present, wanted }: { present: Contact; wanted: Contact }) {
	const { t } = useTranslation("updateParticipant");
	return (
		<Stack gap={2}>
			{changedFields(present, wanted).map((field) => (
				<Group key={field} gap="xs" fz="sm" wrap="nowrap" align="baseline" mod="anywhere">
					<Small span w={125} flex="none">
						{t(field)}
					</Small>
					<Group gap="xs" miw={0}>
						<Text span c="dimmed" miw={0}>
							<Breakable>{present[field] || t("noContact")}</Breakable>
						</Text>
						<IconArrowRight size={14} color="var(--mantine-color-dimmed)" role="img" aria-label={t("becomes")} />
						<Text span fw={600} miw={0}>
							<Breakable>{wanted[field].trim()}</Breakable>
						</Text>
					</Group>
				</Group>
			))}
		</Stack>
	);
}

/** Addresses shown. */
const shownAddresses = 5;

/** Warning about email addresses whose domain has no dot, which are often typing errors. */
export function AskNoDot({ addresses }: { addresses: readonly string[] }) {
	const { t } = useTranslation("updateParticipant");
	const odd = addresses.map((address) => address.trim()).filter((address) => /@[^.]+$/.test(address));
	if (odd.length === 0) return null;
	const shown = odd.length > shownAddresses ? [...odd.slice(0, shownAddresses), "…"] : odd;
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start" role="status">
			<IconAlertTriangle size={18} color="var(--tone-warnings)" aria-hidden />
			<Text mod="anywhere">{t("noDot", { count: odd.length, addresses: formatList(shown) })}</Text>
		</Group>
	);
}
