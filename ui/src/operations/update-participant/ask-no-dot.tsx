import { Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/lib/format";

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
