import type { ModalProps } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { SiteView } from "@/bridge";
import { confirms } from "@/lib/confirmation";
import { useReadOnly } from "@/lib/use-read-only";
import { Dialog } from "./dialog";
import { ReasonField } from "./reason-field";
import { TypedConfirmation } from "./typed-confirmation";

interface ConfirmDialogProps extends Pick<ModalProps, "opened" | "onClose" | "title" | "size"> {
	/** The one that is changed; none where it is about this computer. */
	site?: SiteView;
	/** A verb with its object. */
	confirm: string;
	/** Whether something is gone afterwards. */
	irreversible?: boolean;
	/** What has to be typed before; empty for nothing. */
	toType?: string;
	/** What the field for that asks, if it says more than that it confirms. */
	typeLabel?: string;
	/** Whether all else is there. */
	ready?: boolean;
	/** Whether a reason or ticket can be given; usually where a site is changed. */
	hasReason?: boolean;
	onConfirm: (typed: string, reason: string) => void;
	/** What will be another afterwards. */
	children: ReactNode;
}

/** Asks once more before a site is changed, or something is discarded, and then closes. */
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
	// It comes back when the site is unlocked.
	const readOnly = useReadOnly(dialog.site ?? null);
	const [typed, setTyped] = useState("");
	const [reason, setReason] = useState("");
	const close = () => {
		// They are typed each time.
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
