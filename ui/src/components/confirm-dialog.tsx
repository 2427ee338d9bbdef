import { Button, Group, Modal, type ModalProps, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
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
	/** What has to be typed before; empty for nothing. */
	toType?: string;
	onConfirm: (typed: string) => void;
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
	toType = "",
	onConfirm,
	children,
}: ConfirmDialogProps) {
	const { t } = useTranslation();
	// It comes back when the site is unlocked.
	const readOnly = useReadOnly(site ?? null);
	const [typed, setTyped] = useState("");
	const close = () => {
		// It is typed each time.
		setTyped("");
		onClose();
	};
	return (
		<Modal
			opened={opened && !readOnly}
			onClose={close}
			title={title}
			size={size}
			styles={site ? siteEdge(site.color) : {}}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<Stack>
				{children}
				{toType ? (
					<TextInput
						label={t("typeToConfirm", { text: toType })}
						spellCheck={false}
						autoComplete="off"
						value={typed}
						onChange={(event) => setTyped(event.currentTarget.value)}
					/>
				) : null}
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={close} data-autofocus>
						{t("action.cancel")}
					</Button>
					<Button
						color={discards ? "red" : "blue"}
						disabled={typed.trim() !== toType.trim()}
						onClick={() => {
							close();
							onConfirm(typed);
						}}
					>
						{confirm}
					</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
