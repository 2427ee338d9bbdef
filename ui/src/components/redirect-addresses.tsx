import { Group, List, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { redirectAddresses } from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { HelpLink } from "./page";

/**
 * Redirect addresses to register in the portal, each to be copied on its own, because the portal compares them exactly.
 */
export function RedirectAddresses() {
	const { t } = useTranslation("sites");
	return (
		<Stack gap={4} align="flex-start">
			<Group gap="xs">
				<Text>{t("redirectAddresses.what")}</Text>
				<HelpLink topic="register-app" about={t("redirectAddresses.about")} />
			</Group>
			<List listStyleType="none" spacing={4} aria-label={t("redirectAddresses.list")}>
				{redirectAddresses.map((address) => (
					<List.Item key={address}>
						<CopyButton value={address} label={t("redirectAddresses.copy", { address })} />
					</List.Item>
				))}
			</List>
		</Stack>
	);
}
