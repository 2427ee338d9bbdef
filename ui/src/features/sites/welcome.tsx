import { Button, Center, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconMap2, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigation } from "@/lib/navigation";

/** The first screen: practise, or add a site. */
export function Welcome({ practiceOffer }: { practiceOffer: ReactNode }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	return (
		<Center mih="70vh">
			<Stack gap="xl" maw={720} w="100%">
				<Stack gap="xs" align="center">
					<IconMap2 size={44} stroke={1.25} color="var(--mantine-primary-color-filled)" aria-hidden />
					<Title order={1} ta="center">
						{t("welcome.title")}
					</Title>
					<Text c="dimmed" ta="center" maw={520} size="lg">
						{t("welcome.description")}
					</Text>
				</Stack>
				<SimpleGrid cols={2} spacing="md">
					{practiceOffer}
					<Paper withBorder p="lg">
						<Stack h="100%">
							<Stack gap={4} flex={1}>
								<Group gap="xs">
									<IconPlus size={20} stroke={1.5} aria-hidden />
									<Title order={2} size="h3">
										{t("welcome.addTitle")}
									</Title>
								</Group>
								<Text size="sm" c="dimmed">
									{t("welcome.addBody")}
								</Text>
							</Stack>
							<Button variant="default" fullWidth onClick={() => go({ page: "add-site" })}>
								{t("add")}
							</Button>
						</Stack>
					</Paper>
				</SimpleGrid>
			</Stack>
		</Center>
	);
}
