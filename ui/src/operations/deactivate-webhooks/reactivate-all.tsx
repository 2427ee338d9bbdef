import { Button } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DeactivationView } from "@/bridge";
import { countLeft } from "@/lib/webhooks-left";
import type { AskToReactivate } from "./use-reactivation";

interface ReactivateAllProps {
	entries: readonly DeactivationView[];
	/** What stands on the button; the number of webhooks that are left, if it is not given. */
	label?: string;
	reactivate: AskToReactivate;
}

/** Asks whether the webhooks of all entries are reactivated; nothing while the site is locked. */
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
