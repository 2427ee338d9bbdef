import { Button } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import type { DeactivationView } from "@/bridge";
import type { AskToReactivate } from "./use-reactivation";

interface ReactivateAllProps {
	entries: readonly DeactivationView[];
	/** What stands on the button. */
	label: string;
	reactivate: AskToReactivate;
}

/** Asks whether the webhooks of all entries are reactivated; nothing while the site is locked. */
export function ReactivateAll({ entries, label, reactivate: { ask, busy } }: ReactivateAllProps) {
	if (ask === null) return null;
	return (
		<Button
			w="fit-content"
			variant="filled"
			leftSection={<IconRestore size={14} aria-hidden />}
			loading={busy}
			onClick={() => ask(entries)}
		>
			{label}
		</Button>
	);
}
