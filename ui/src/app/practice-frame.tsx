import { Box, Text } from "@mantine/core";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { SiteColor } from "@/bridge";
import { siteAccent } from "@/lib/site-color";
import classes from "./practice-frame.module.css";
import { topBarHeight } from "./top-bar";

export const practiceStripHeight = 26;

/** Around the whole window, so that practice cannot be taken for anything else. */
export function PracticeFrame({ color }: { color: SiteColor }) {
	const { t } = useTranslation();
	const style = {
		"--frame-color": siteAccent(color),
		"--strip-top": `${topBarHeight}px`,
		"--strip-height": `${practiceStripHeight}px`,
	} as CSSProperties;
	return (
		<Box style={style}>
			<Box className={classes.strip} role="note">
				<Text size="xs" fw={600}>
					{t("practiceFrame")}
				</Text>
			</Box>
			<Box className={classes.frame} aria-hidden />
		</Box>
	);
}
