import { Center, Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { SiteColor } from "@/bridge";
import { LinkButton } from "@/components/text";
import { useNavigation } from "@/lib/navigation";
import { useActiveFaults, usePractice } from "@/lib/queries/program";
import { siteAccent } from "@/lib/site-color";
import classes from "./practice-strip.module.css";

export const practiceStripHeight = 26;

/** Strip below the top bar of a practice site, so that it is not mistaken for a real one. */
export function PracticeStrip({ color }: { color: SiteColor }) {
	const { t } = useTranslation(["common", "faultInjection"]);
	const { go } = useNavigation();
	const practice = usePractice().data?.site.id ?? null;
	const active = useActiveFaults(practice !== null).data?.length ?? 0;
	return (
		<Center
			h={practiceStripHeight}
			className={classes.strip ?? ""}
			style={{ "--strip-color": siteAccent(color) } as CSSProperties}
			role="note"
		>
			<Text size="xs" fw={600}>
				{t("practiceStrip")}
			</Text>
			{active > 0 && practice ? (
				<LinkButton size="xs" className={classes.faults ?? ""} onClick={() => go({ page: "practice", site: practice })}>
					<IconBolt size={14} aria-hidden />
					{t("faultInjection:strip", { count: active })}
				</LinkButton>
			) : null}
		</Center>
	);
}
