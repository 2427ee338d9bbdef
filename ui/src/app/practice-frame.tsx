import { Box, Button, Center, Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { SiteColor } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useActiveFaults, usePractice } from "@/lib/queries/program";
import { siteAccent } from "@/lib/site-color";
import classes from "./practice-frame.module.css";

export const practiceStripHeight = 26;

/** Below the bar: says in words what the frame says in dashes. */
export function PracticeStrip({ color }: { color: SiteColor }) {
	const { t } = useTranslation(["common", "faultInjection"]);
	const { go } = useNavigation();
	const practice = usePractice().data?.site.id ?? null;
	const active = useActiveFaults(practice !== null).data?.length ?? 0;
	return (
		<Center h={practiceStripHeight} className={classes.strip ?? ""} style={frameColor(color)} role="note">
			<Text size="xs" fw={600}>
				{t("practiceFrame")}
			</Text>
			{active > 0 && practice ? (
				<Button
					size="compact-xs"
					variant="filled"
					color="red.9"
					leftSection={<IconBolt size={12} aria-hidden />}
					onClick={() => go({ page: "practice", site: practice })}
				>
					{t("faultInjection:frame", { count: active })}
				</Button>
			) : null}
		</Center>
	);
}

/** Around the whole window, so that practice cannot be taken for anything else. */
export function PracticeFrame({ color }: { color: SiteColor }) {
	return <Box className={classes.frame ?? ""} style={frameColor(color)} aria-hidden />;
}

function frameColor(color: SiteColor): CSSProperties {
	return { "--frame-color": siteAccent(color) } as CSSProperties;
}
