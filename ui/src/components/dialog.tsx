import {
	Button,
	Group,
	Modal,
	type ModalProps,
	Portal,
	Stack,
	Text,
	TextInput,
	type TextInputProps,
} from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem, SiteView } from "@/bridge";
import { confirms, differenceFrom, typeable } from "@/lib/confirmation";
import { EndedSessionContext } from "@/lib/navigation";
import { siteEdge } from "@/lib/site-color";
import { useHeld } from "@/lib/use-held";
import { useReadOnly } from "@/lib/use-read-only";
import classes from "./dialog.module.css";
import { ProblemNotice } from "./notice";
import { SubmitForm } from "./submit-form";

interface DialogFormProps {
	onClose: () => void;
	/** Verb and object. */
	confirm: string;
	/** Label of the cancel button, if "Cancel" is not clear enough. */
	cancel?: string;
	/** Whether data is lost. Enter then cancels. */
	irreversible?: boolean;
	/** Whether the dialog can be confirmed, for example because the required text was typed. */
	ready?: boolean;
	busy?: boolean;
	/** Command that the dialog sends: its problem is shown, until the dialog is closed. */
	command?: { isPending: boolean; error: Problem | null; reset: () => void };
	onConfirm: () => void;
	/** Progress, shown beside the buttons. */
	status?: string;
	children: ReactNode;
}

/**
 * Content of a dialog with its two buttons. The cancel button has the initial focus, unless an element of `children`
 * has `data-autofocus`.
 */
export function DialogForm({
	onClose,
	confirm,
	cancel,
	irreversible = false,
	ready = true,
	command,
	busy = command?.isPending ?? false,
	onConfirm,
	status,
	children,
}: DialogFormProps) {
	const { t } = useTranslation();
	return (
		<SubmitForm
			onSubmit={(event) => {
				event.preventDefault();
				// In React's tree, the dialog is inside the form that opened it, and the event would submit that form, too.
				event.stopPropagation();
				if (irreversible) onClose();
				else if (ready && !busy) onConfirm();
			}}
		>
			<Stack>
				{children}
				{command?.error ? <ProblemNotice problem={command.error} /> : null}
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
	/** Site that is changed; omitted if only this computer is affected. */
	site?: SiteView;
	children: ReactNode;
}

/** Frame of every dialog, including those without a form. */
export function DialogFrame({ size = "md", site, title, children, ...modal }: DialogFrameProps) {
	const { t } = useTranslation();
	const shown = useHeld({ title, children }, !modal.opened);
	return (
		// Forms must not be nested. `Modal` alone does not use its portal in tests.
		<Portal>
			<Modal
				{...modal}
				title={shown.title}
				size={size}
				styles={site ? siteEdge(site.color) : {}}
				closeButtonProps={{ "aria-label": t("action.close") }}
				withinPortal={false}
			>
				{/* The dialog covers the notice that requests a sign-in, so problems inside it must request it themselves. */}
				<EndedSessionContext value={null}>{shown.children}</EndedSessionContext>
			</Modal>
		</Portal>
	);
}

type DialogProps = DialogFormProps & Omit<DialogFrameProps, "children">;

/**
 * Confirmation dialog. Callers pass values of the moment at which it opens, so that its texts do not change while it is
 * open.
 */
export function Dialog({ opened, title, size, returnFocus = true, site, onClose, ...form }: DialogProps) {
	const close = () => {
		form.command?.reset();
		onClose();
	};
	return (
		<DialogFrame
			opened={opened}
			onClose={close}
			title={title}
			returnFocus={returnFocus}
			{...(size === undefined ? {} : { size })}
			{...(site ? { site } : {})}
		>
			<DialogForm {...form} onClose={close} />
		</DialogFrame>
	);
}

interface ConfirmDialogProps extends Pick<ModalProps, "opened" | "onClose" | "title" | "size"> {
	/** Site that is changed; omitted if only this computer is affected. */
	site?: SiteView;
	/** Label of the button that confirms: a verb and an object. */
	confirm: string;
	/** Whether data is lost, so that Enter must not confirm. */
	irreversible?: boolean;
	/** Text that the user must type; empty for none. */
	toType?: string;
	/** Label of that field, if it explains more than the default. */
	typeLabel?: string;
	/** Whether everything except the typed text is complete. */
	ready?: boolean;
	/** Whether a reason or ticket can be entered. Default: if `site` is set. */
	hasReason?: boolean;
	onConfirm: (typed: string, reason: string) => void;
	children: ReactNode;
}

/** Confirmation before a site is changed or something is discarded. Closes when it is confirmed. */
export function ConfirmDialog({
	opened,
	onClose,
	size = "lg",
	toType = "",
	typeLabel,
	ready = true,
	hasReason,
	onConfirm,
	children,
	...dialog
}: ConfirmDialogProps) {
	// A locked site hides the dialog until it is unlocked.
	const readOnly = useReadOnly(dialog.site ?? null);
	const [typed, setTyped] = useState("");
	const [reason, setReason] = useState("");
	const close = () => {
		// Confirmation and reason are entered anew each time.
		setTyped("");
		setReason("");
		onClose();
	};
	return (
		<Dialog
			{...dialog}
			opened={opened && !readOnly}
			onClose={close}
			size={size}
			ready={ready && confirms(typed, toType)}
			onConfirm={() => {
				close();
				onConfirm(typed, reason);
			}}
		>
			{children}
			{(hasReason ?? dialog.site !== undefined) ? (
				<ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
			) : null}
			{toType ? (
				<TypedConfirmation
					{...(typeLabel === undefined ? {} : { label: typeLabel })}
					name={toType}
					value={typed}
					onChange={(event) => setTyped(event.currentTarget.value)}
				/>
			) : null}
		</Dialog>
	);
}

/** Order of a field whose hint is below it, so that fields beside each other are aligned. */
export const fieldFirst: NonNullable<TextInputProps["inputWrapperOrder"]> = ["label", "input", "error", "description"];

interface TypedConfirmationProps extends TextInputProps {
	/** Text to type. */
	name: string;
	value: string;
	/** Target that is replaced; named if the typed text differs. Without it, the first different character is named. */
	replaces?: string;
}

/** Field for the text that confirms an operation. It shows how the input differs. */
export function TypedConfirmation({ name, value, replaces, error, ...input }: TypedConfirmationProps) {
	const { t } = useTranslation("common", { keyPrefix: "confirmation" });
	const different = differenceFrom(name, value);
	const differs =
		different && replaces !== undefined
			? t("replaces", { target: replaces })
			: different && t(different.wanted === "" ? "tooLong" : "differs", { ...different });
	const hint = typeable(name) === name ? null : t("replaced");
	return (
		<TextInput
			label={t("label", { text: name })}
			inputWrapperOrder={fieldFirst}
			description={confirms(value, name) ? t("matches") : hint}
			autoComplete="off"
			data-path="confirmation"
			error={error || differs}
			value={value}
			{...input}
		/>
	);
}

/** Reason or ticket of a change, stored in its history entry. */
export function ReasonField(input: TextInputProps) {
	const { t } = useTranslation("common", { keyPrefix: "reason" });
	return (
		<TextInput label={t("label")} description={t("hint")} data-path="reason" autoComplete="off" spellCheck {...input} />
	);
}
