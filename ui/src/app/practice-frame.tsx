import { Box, Center, Text } from "@mantine/core";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { SiteColor } from "@/bridge";
import { siteAccent } from "@/lib/site-color";
import classes from "./practice-frame.module.css";

export const practiceStripHeight = 26;

/** Below the bar: says in words what the frame says in dashes. */
export function PracticeStrip({ color }: { color: SiteColor }) {
	const { t } = useTranslation();
	return (
		<Center h={practiceStripHeight} className={classes.strip ?? ""} style={frameColor(color)} role="note">
			<Text size="xs" fw={600}>
				{t("practiceFrame")}
			</Text>
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
