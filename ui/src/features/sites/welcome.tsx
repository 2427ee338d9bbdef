import { Button, Center, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconFileImport, IconMap2, IconPlus } from "@tabler/icons-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { pageWidths } from "@/components/page";
import { Heading, IconButton } from "@/components/text";
import { useNavigation } from "@/lib/navigation";
import { useHeading } from "@/lib/use-heading";
import { afterStart } from "@/lib/when-shown";

const ImportProfiles = afterStart(async () => (await import("./profiles/import-profiles")).ImportProfiles);

/** Welcome page without sites: start the practice site, add a site, or import profiles. */
export function Welcome({ practiceOffer }: { practiceOffer: ReactNode }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const heading = useHeading();
	const [importing, setImporting] = useState(false);
	return (
		<Center mih="70vh">
			<Stack gap="xl" maw={pageWidths.form} w="100%">
				<Stack gap="xs" align="center">
					<IconMap2 size={44} stroke={1.25} color="var(--accent)" aria-hidden />
					<Title order={1} ta="center" ref={heading} tabIndex={-1} style={{ outline: "none" }}>
						{t("welcome.title")}
					</Title>
					<Text c="dimmed" ta="center" maw={520} size="lg">
						{t("welcome.description")}
					</Text>
				</Stack>
				<SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
					{practiceOffer}
					<Paper withBorder p="lg">
						<Stack h="100%">
							<Stack gap={4} flex={1}>
								<Group gap="xs">
									<IconPlus size={18} stroke={1.5} aria-hidden />
									<Heading>{t("welcome.addTitle")}</Heading>
								</Group>
								<Text c="dimmed">{t("welcome.addBody")}</Text>
							</Stack>
							<Button size="sm" fullWidth onClick={() => go({ page: "add-site" })}>
								{t("add")}
							</Button>
						</Stack>
					</Paper>
				</SimpleGrid>
				<Group justify="center" gap="xs">
					<Text c="dimmed">{t("welcome.profiles")}</Text>
					<IconButton
						label={t("profiles.import")}
						variant="subtle"
						icon={IconFileImport}
						onClick={() => setImporting(true)}
					/>
				</Group>
			</Stack>
			<Suspense>
				<ImportProfiles opened={importing} onClose={() => setImporting(false)} />
			</Suspense>
		</Center>
	);
}
