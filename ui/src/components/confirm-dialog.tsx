import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { siteEdge } from "@/lib/site-color";
import { useReadOnly } from "@/lib/use-read-only";

interface ConfirmDialogProps extends Pick<ModalProps, "opened" | "onClose" | "title"> {
	size?: ModalProps["size"];
	/** The one that is changed; none where it is about this computer. */
	site?: SiteView;
	/** A verb with its object. */
	confirm: string;
	/** Whether something is gone afterwards. */
	discards?: boolean;
	onConfirm: () => void;
	/** What will be another afterwards. */
	children: ReactNode;
}

/** Asks before what can be changed back, or done anew. */
export function ConfirmDialog({
	opened,
	onClose,
	title,
	size = "lg",
	site,
	confirm,
	discards = false,
	onConfirm,
	children,
}: ConfirmDialogProps) {
	const { t } = useTranslation();
	// It comes back when the site is unlocked.
	const readOnly = useReadOnly(site ?? null);
	return (
		<Modal
			opened={opened && !readOnly}
			onClose={onClose}
			title={title}
			size={size}
			styles={site ? siteEdge(site.color) : {}}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<Stack>
				{children}
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={onClose} data-autofocus>
						{t("action.cancel")}
					</Button>
					<Button
						color={discards ? "red" : "blue"}
						onClick={() => {
							onClose();
							onConfirm();
						}}
					>
						{confirm}
					</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
