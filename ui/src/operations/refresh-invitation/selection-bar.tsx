import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { InvitationView, SiteView } from "@/bridge";
import { pageWidths } from "@/components/page";
import { RequestPreview } from "@/components/request-preview";
import { formOf, type Order } from "./order";
import classes from "./selection-bar.module.css";

interface PickedBarProps {
	site: SiteView;
	/** Those that are picked. */
	invitations: readonly InvitationView[];
	onClear: () => void;
	onOrder: (order: Order) => void;
}

/** What is picked, what becomes of it, and the button; it stays in sight while the list is long. */
export function SelectionBar({ site, invitations, onClear, onOrder }: PickedBarProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = invitations.length;
	const [only] = invitations;
	const submit = () => {
		if (count > 1) onOrder({ kind: "several", invitations });
		else if (only) onOrder({ kind: "one", form: formOf(only), invitation: only });
	};
	return (
		<>
			<Paper withBorder px="md" py="sm" className={classes.bar ?? ""} mod={{ picked: count > 0 }}>
				<Group justify="space-between" gap="xs">
					<Text size="sm" fw={600} role="status">
						{count === 0 ? t("pickFirst") : t("picked", { count })}
					</Text>
					<Group gap="xs">
						{count > 1 ? (
							<Button variant="subtle" onClick={onClear}>
								{t("clear")}
							</Button>
						) : null}
						<Button disabled={count === 0} onClick={submit}>
							{count > 1 ? t("submitSeveral", { count }) : t("submit")}
						</Button>
					</Group>
				</Group>
			</Paper>
			{count > 0 ? (
				<Stack gap="xs" maw={pageWidths.column}>
					<Text size="sm">{t(count > 1 ? "explainSeveral" : "explain")}</Text>
					<Text size="sm" c="dimmed">
						{t("permission")}
					</Text>
					<RequestPreview site={site} form={{ operation: "refresh_invitation", form: invitations.map(formOf) }} />
				</Stack>
			) : null}
		</>
	);
}
