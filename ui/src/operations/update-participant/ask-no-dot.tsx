import { Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/lib/format";

/** More than that nobody reads in a question. */
const most = 5;

/** Asks about e-mail addresses whose domain is a single name: a typing error more often than not. */
export function AskNoDot({ addresses }: { addresses: readonly string[] }) {
	const { t } = useTranslation("updateParticipant");
	const odd = addresses.map((address) => address.trim()).filter((address) => /@[^.]+$/.test(address));
	if (odd.length === 0) return null;
	const shown = odd.length > most ? [...odd.slice(0, most), "…"] : odd;
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start" role="status">
			<IconAlertTriangle size={18} color="var(--tone-warnings)" aria-hidden style={{ flex: "none" }} />
			<Text mod="anywhere">{t("noDot", { count: odd.length, addresses: formatList(shown) })}</Text>
		</Group>
	);
}
