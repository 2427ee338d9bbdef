import { Button, Group, Modal, type ModalProps, Portal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { EndedSessionContext } from "@/lib/sign-in-request";
import { siteEdge } from "@/lib/site-color";
import { useHeld } from "@/lib/use-held";
import classes from "./dialog.module.css";
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
	/** Beside the buttons: what is done already. */
	status?: string;
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
	status,
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
				<Group
					justify="flex-end"
					gap="xs"
					{...(status === undefined ? {} : { wrap: "nowrap" as const, className: classes.foot ?? "" })}
				>
					{status === undefined ? null : (
						<Text role="status" flex={1} miw={0}>
							{status}
						</Text>
					)}
					<Button size="sm" data-autofocus {...(irreversible ? { type: "submit" as const } : { onClick: onClose })}>
						{cancel ?? t("action.cancel")}
					</Button>
					<Button
						variant="filled"
						size="sm"
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

interface DialogFrameProps
	extends Pick<ModalProps, "opened" | "onClose" | "title" | "size" | "returnFocus" | "onExitTransitionEnd"> {
	/** The one that is changed; none where it is about this computer. */
	site?: SiteView;
	children: ReactNode;
}

/** The frame of every dialog, also of those that ask nothing or whose content is a form of its own. */
export function DialogFrame({ size = "md", site, title, children, ...modal }: DialogFrameProps) {
	const { t } = useTranslation();
	const shown = useHeld({ title, children }, !modal.opened);
	return (
		// A form cannot stand in another, nor a dialog that is one: in tests, `Modal` would leave it there.
		<Portal>
			<Modal
				{...modal}
				title={shown.title}
				size={size}
				styles={site ? siteEdge(site.color) : {}}
				closeButtonProps={{ "aria-label": t("action.close") }}
				withinPortal={false}
			>
				{/* It covers what is asked above on the page. */}
				<EndedSessionContext value={null}>{shown.children}</EndedSessionContext>
			</Modal>
		</Portal>
	);
}

type DialogProps = DialogFormProps & Omit<DialogFrameProps, "children">;

/** Asks before something is done. What it says is fixed when it opens: its caller passes what was so at that moment. */
export function Dialog({ opened, title, size, returnFocus = true, site, ...form }: DialogProps) {
	return (
		<DialogFrame
			opened={opened}
			onClose={form.onClose}
			title={title}
			returnFocus={returnFocus}
			{...(size === undefined ? {} : { size })}
			{...(site ? { site } : {})}
		>
			<DialogForm {...form} />
		</DialogFrame>
	);
}
