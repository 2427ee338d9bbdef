import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { InvitationView, SiteView } from "@/bridge";
import { ChangeButton } from "@/components/change-button";
import { pageWidths } from "@/components/page";
import { RequestPreview } from "@/components/request-preview";
import { Confirm } from "./confirm";
import { formOf, type Order } from "./order";
import classes from "./selection-bar.module.css";
import { useAskRefresh } from "./use-ask-refresh";

interface SelectionBarProps {
	site: SiteView;
	invitations: readonly InvitationView[];
	onClear: () => void;
	onOrder: (order: Order) => void;
}

/** Selected invitations with the submit button; stays in view below a long list. */
export function SelectionBar({ site, invitations, onClear, onOrder }: SelectionBarProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = invitations.length;
	const [only] = invitations;
	const asking = useAskRefresh(site, invitations);
	const submit = () => {
		if (count > 1) onOrder({ kind: "batch", invitations });
		else if (only) onOrder({ kind: "one", form: formOf(only), invitation: only });
	};
	return (
		<>
			<Paper withBorder px="md" py="sm" className={classes.bar ?? ""} mod={{ picked: count > 0 }}>
				<Group justify="space-between" gap="xs">
					<Text fw={600} role="status">
						{count === 0 ? t("pickFirst") : t("picked", { count })}
					</Text>
					<Group gap="xs">
						{count > 1 ? (
							<Button variant="subtle" onClick={onClear}>
								{t("clear")}
							</Button>
						) : null}
						<ChangeButton site={site} disabled={count === 0} loading={asking.isReading} onClick={asking.ask}>
							{count > 1 ? t("submitSeveral", { count }) : t("submit")}
						</ChangeButton>
					</Group>
				</Group>
				<Confirm
					opened={asking.isAsked}
					onClose={asking.close}
					site={site}
					invitations={invitations}
					onConfirm={submit}
				/>
			</Paper>
			{asking.news}
			{count > 0 ? (
				<Stack gap="xs" maw={pageWidths.form}>
					<Text>{t(count > 1 ? "explainSeveral" : "explain")}</Text>
					<Text c="dimmed">{t("permission")}</Text>
					<RequestPreview site={site} form={{ operation: "refresh_invitation", form: invitations.map(formOf) }} />
				</Stack>
			) : null}
		</>
	);
}
