import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { InvitationView, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { LongList } from "@/components/long-text";
import { Lines } from "@/components/text";

interface ConfirmProps {
	opened: boolean;
	onClose: () => void;
	site: SiteView;
	/** Empty if only the IDs of the invitation are known. */
	invitations: readonly InvitationView[];
	onConfirm: (reason: string) => void;
}

/** Confirmation before invitations are refreshed. */
export function Confirm({ opened, onClose, site, invitations, onConfirm }: ConfirmProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = Math.max(1, invitations.length);
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onClose}
			site={site}
			title={t("confirmTitle", { count, site: site.name })}
			confirm={t("confirm")}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			{invitations.length > 0 ? (
				<LongList label={t("table")}>
					<Lines
						spacing={4}
						lines={invitations.map(({ guestPortalUrl: guest, collaborationName: collaboration }) =>
							t("for", { guest, collaboration }),
						)}
					/>
				</LongList>
			) : null}
			<Text>{t(count > 1 ? "explainSeveral" : "explain")}</Text>
		</ConfirmDialog>
	);
}
