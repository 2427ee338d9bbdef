import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyField } from "@/components/copy-field";
import { usePractice } from "@/lib/queries";
import { OwnPassword } from "./own-password";

/** For whoever adds the practice site by its address, as one adds any other: where it is, and who one can be there. */
export function OwnSignIn() {
	const { t } = useTranslation("practice");
	const { site, users, fingerprint } = usePractice().data ?? {};
	if (!site || !users) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("own.title")}>
			<Stack gap="xs">
				<Title order={2} size="h4">
					{t("own.title")}
				</Title>
				<Text size="sm">{t("own.body")}</Text>
				{site.portal ? (
					<CopyField label={t("own.address")} value={site.portal} copyLabel={t("own.copyAddress")} />
				) : null}
				{fingerprint ? (
					<>
						<CopyField label={t("own.fingerprint")} value={fingerprint} copyLabel={t("own.copyFingerprint")} />
						<Text size="sm" c="dimmed">
							{t("own.fingerprintHint")}
						</Text>
					</>
				) : null}
				<Table layout="fixed" verticalSpacing={4} horizontalSpacing={0} aria-label={t("own.people")}>
					<Table.Thead>
						<Table.Tr>
							<Table.Th w="38%">{t("own.username")}</Table.Th>
							<Table.Th>{t("own.password")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{users.map(({ username }) => (
							<Table.Tr key={username}>
								<Table.Td style={{ overflowWrap: "anywhere" }}>{username}</Table.Td>
								<Table.Td>
									<OwnPassword username={username} />
								</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			</Stack>
		</Paper>
	);
}
