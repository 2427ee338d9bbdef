import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";
import { useNavigation } from "@/lib/navigation";
import { useAbout } from "@/lib/queries/program";
import type { FaultProps } from "./error-boundary";

/** Message instead of a failed page, with buttons to try again, leave, or copy the details. */
export function ScreenFault({ words, where, onRetry }: FaultProps) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const about = useAbout();
	const details = [`Site Steward ${about.data?.version ?? ""}`, words, where].join("\n");
	return (
		<Box p="lg" maw={760}>
			<Notice tone="failed" title={t("broken.title")}>
				<Stack gap="sm">
					<Text>{t("broken.body")}</Text>
					<Text ff="monospace" mod="anywhere">
						{words}
					</Text>
					<Group gap="xs">
						<Button variant="filled" onClick={onRetry}>
							{t("action.retry")}
						</Button>
						<Button onClick={() => go({ page: "sites" })}>{t("broken.leave")}</Button>
						<CopyButton value={details} label={t("action.copyDetails")} />
					</Group>
				</Stack>
			</Notice>
		</Box>
	);
}
