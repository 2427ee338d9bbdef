import { Button } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type HelpTopic, useHelp } from "@/lib/help";

/** Opens a help page. `about` is the subject, for screen readers. */
export function HelpLink({ topic, about }: { topic: HelpTopic; about: string }) {
	const { t } = useTranslation();
	const open = useHelp();
	return (
		<Button
			variant="subtle"
			// Aligns the label with the text above and beside it.
			px={6}
			mx={-6}
			leftSection={<IconHelp size={16} aria-hidden />}
			aria-label={t("action.helpOn", { about })}
			onClick={() => open(topic)}
		>
			{t("action.help")}
		</Button>
	);
}
