import { Button } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DeactivationView } from "@/bridge";
import { countLeft } from "@/lib/webhooks-left";
import type { AskToReactivate } from "./use-reactivation";

interface ReactivateAllProps {
	entries: readonly DeactivationView[];
	/** Label of the button. Default: the number of webhooks to reactivate. */
	label?: string;
	reactivate: AskToReactivate;
}

/** Button that reactivates the webhooks of all entries after a confirmation. Hidden while the site is locked. */
export function ReactivateAll({ entries, label, reactivate: { ask, busy } }: ReactivateAllProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const count = countLeft(entries);
	if (ask === null) return null;
	return (
		<Button
			w="fit-content"
			variant="filled"
			leftSection={<IconRestore size={14} aria-hidden />}
			loading={busy}
			onClick={() => ask(entries)}
		>
			{label ?? t("reactivation.confirm", { count })}
		</Button>
	);
}
