import { type ModalProps, TextInput, type TextInputProps } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { confirms, differenceFrom, typeable } from "@/lib/confirmation";
import { useReadOnly } from "@/lib/use-read-only";
import { Dialog } from "./dialog";

interface ConfirmDialogProps extends Pick<ModalProps, "opened" | "onClose" | "title" | "size"> {
	/** Site that is changed; omitted if only this computer is affected. */
	site?: SiteView;
	/** Verb and object. */
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
			inputWrapperOrder={["label", "input", "error", "description"]}
			description={confirms(value, name) ? t("matches") : hint}
			spellCheck={false}
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
	return <TextInput label={t("label")} description={t("hint")} data-path="reason" autoComplete="off" {...input} />;
}
