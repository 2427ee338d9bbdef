import type { ModalProps } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { SiteView } from "@/bridge";
import { confirms } from "@/lib/confirmation";
import { useReadOnly } from "@/lib/use-read-only";
import { Dialog } from "./dialog";
import { ReasonField } from "./reason-field";
import { TypedConfirmation } from "./typed-confirmation";

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
