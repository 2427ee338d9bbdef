import { Center, Overlay, Paper, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { operations, type SiteView } from "@/bridge";
import { type Drop, useDroppedFiles } from "@/lib/dropped-file";
import { useNavigation } from "@/lib/navigation";
import { targetOf } from "@/lib/target";
import { operationUis } from "@/operations";

/** Files without a page: a notification explains what to do with them. */
const withoutPage = { portalFile: "drop.aboutPortalFile", invitation: "drop.aboutInvitation" } as const;

/** Handles dropped and opened files: opens the page that uses a file, or shows a notification. `site`: current site. */
export function FileDrops({ site }: { site: SiteView | null }) {
	const { t } = useTranslation();
	const { over, drop, take } = useDroppedFiles();
	const { go } = useNavigation();
	const led = useRef<Drop | null>(null);
	useEffect(() => {
		// Only once: a user who leaves that page or changes the site is not led back.
		if (drop === null || led.current === drop) return;
		const say = (message: string) =>
			// The message is shown nowhere else, so it stays until the user closes it.
			notifications.show({ message, autoClose: false, closeButtonProps: { "aria-label": t("action.close") } });
		if (drop.file === null) {
			take(drop);
			say(t("drop.unusable"));
			return;
		}
		const { kind, name } = drop.file;
		const page = operations.find(({ key }) => operationUis[key].file === kind);
		if (site !== null && page) {
			led.current = drop;
			go({ page: "operation", ...targetOf(page.key, site), key: page.key });
		}
		if (kind === "portalFile" || kind === "invitation") {
			take(drop);
			say(t(withoutPage[kind], { file: name }));
		} else if (site === null) {
			say(t("drop.noSite", { file: name }));
		}
	}, [drop, site, go, take, t]);
	if (!over) return null;
	return (
		<Overlay fixed zIndex={500} backgroundOpacity={0.55}>
			<Center h="100%" p="md">
				<Paper p="xl" withBorder role="status">
					<Text fw={600} mod="anywhere">
						{over.file ? t(`drop.${over.file.kind}`, { file: over.file.name }) : t("drop.unusable")}
					</Text>
				</Paper>
			</Center>
		</Overlay>
	);
}
