import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useTargetNameOf } from "@/lib/target-name";

interface AskReactivationProps {
	/** `null`: nothing is asked. */
	entry: DeactivationView | null;
	/** Names of its webhooks that are active already. */
	again: readonly string[];
	site: SiteView;
	onCancel: () => void;
	onConfirm: (entry: DeactivationView, reason: string) => void;
}

/** Names what is about to be active again. */
export function AskReactivation({ entry, again, site, onCancel, onConfirm }: AskReactivationProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const active = without(entry?.active ?? [], again);
	return (
		<ConfirmDialog
			opened={entry !== null}
			onClose={onCancel}
			title={t("reactivation.title", { count: active.length, site: target })}
			size="md"
			site={site}
			confirm={t("reactivation.confirm", { count: active.length })}
			onConfirm={(_, reason) => (entry ? onConfirm(entry, reason) : undefined)}
		>
			<Text style={{ overflowWrap: "anywhere" }}>{t("reactivation.body", { service: entry?.service ?? "" })}</Text>
			<List>
				{active.map((name) => (
					<List.Item key={name} style={{ overflowWrap: "anywhere" }}>
						{name}
					</List.Item>
				))}
			</List>
		</ConfirmDialog>
	);
}

/** Two webhooks of one name are two. */
function without(names: readonly string[], others: readonly string[]): string[] {
	const left = [...others];
	return names.filter((name) => {
		const at = left.indexOf(name);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}
