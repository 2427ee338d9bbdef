import { Button, Group, Modal, type ModalProps, Portal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { siteEdge } from "@/lib/site-color";
import { SubmitForm } from "./submit-form";

interface DialogFormProps {
	onClose: () => void;
	/** A verb with its object. */
	confirm: string;
	/** What the button that changes nothing says, where *Cancel* says too little. */
	cancel?: string;
	/** Whether something is gone afterwards: what Enter presses is the button that changes nothing. */
	irreversible?: boolean;
	/** Whether it can be confirmed: what has to be typed was typed. */
	ready?: boolean;
	busy?: boolean;
	onConfirm: () => void;
	/** What will be another afterwards. */
	children: ReactNode;
}

/**
 * What a dialog asks, and its two buttons. It begins at the one that changes nothing, unless `children` has
 * `data-autofocus`.
 */
export function DialogForm({
	onClose,
	confirm,
	cancel,
	irreversible = false,
	ready = true,
	busy = false,
	onConfirm,
	children,
}: DialogFormProps) {
	const { t } = useTranslation();
	return (
		<SubmitForm
			onSubmit={(event) => {
				event.preventDefault();
				// For React, it is part of the form that the dialog was opened in.
				event.stopPropagation();
				if (irreversible) onClose();
				else if (ready && !busy) onConfirm();
			}}
		>
			<Stack>
				{children}
				<Group justify="flex-end" gap="xs">
					<Button
						variant="default"
						data-autofocus
						{...(irreversible ? { type: "submit" as const } : { onClick: onClose })}
					>
						{cancel ?? t("action.cancel")}
					</Button>
					<Button
						color={irreversible ? "red" : "blue"}
						disabled={!ready}
						loading={busy}
						{...(irreversible ? { onClick: onConfirm } : { type: "submit" as const })}
					>
						{confirm}
					</Button>
				</Group>
			</Stack>
		</SubmitForm>
	);
}

interface DialogProps extends DialogFormProps, Pick<ModalProps, "opened" | "title" | "size" | "returnFocus"> {
	/** The one that is changed; none where it is about this computer. */
	site?: SiteView;
}

/** Asks before something is done. */
export function Dialog({ opened, title, size = "md", returnFocus = true, site, ...form }: DialogProps) {
	const { t } = useTranslation();
	return (
		// A form cannot stand in another, nor a dialog that is one: in tests, `Modal` would leave it there.
		<Portal>
			<Modal
				opened={opened}
				onClose={form.onClose}
				title={title}
				size={size}
				returnFocus={returnFocus}
				styles={site ? siteEdge(site.color) : {}}
				closeButtonProps={{ "aria-label": t("action.close") }}
				withinPortal={false}
			>
				<DialogForm {...form} />
			</Modal>
		</Portal>
	);
}
