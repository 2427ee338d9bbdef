import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SessionView, SiteView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useConcerns } from "@/lib/use-concerns";

/** What somebody should think of on this site, each with the next act; nothing when there is nothing. */
export function Attention({ site, session }: { site: SiteView; session: SessionView }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const concerns = useConcerns(site, session);
	const id = useId();
	if (concerns.length === 0) return null;
	return (
		<Paper withBorder p="md" component="section" aria-labelledby={id}>
			<Stack gap="xs">
				<Title order={2} size="h5" id={id}>
					{t("attention.title")}
				</Title>
				{concerns.map(({ key, words, act, to }) => (
					<Group key={key} gap="xs">
						<Group gap="sm" wrap="nowrap" flex="1 1 14rem">
							<IconAlertTriangle size={16} color="var(--tone-warnings)" aria-hidden style={{ flex: "none" }} />
							<Text size="sm">{words}</Text>
						</Group>
						<Button size="xs" variant="default" flex="none" onClick={() => go(to)}>
							{act}
						</Button>
					</Group>
				))}
			</Stack>
		</Paper>
	);
}
