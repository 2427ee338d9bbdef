import { Button, type ButtonProps, CopyButton as Copier } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { usePageKey } from "@/lib/page-keys";

interface CopyButtonProps extends Pick<ButtonProps, "variant"> {
	value: string;
	/** Names the copied value. Without it, the label is only "Copy". */
	label?: string;
	/** Accessible name of a plain "Copy" button, to distinguish several on a page. */
	about?: string | undefined;
	/** Whether the value is a path, which a shortcut copies. */
	isPath?: boolean;
}

export function CopyButton({ value, label, about, variant = "default", isPath = false }: CopyButtonProps) {
	const key = usePageKey("copyPath");
	const { t } = useTranslation();
	return (
		<Copier value={value}>
			{({ copied, copy }) => (
				<Button
					variant={variant}
					onClick={copy}
					aria-label={about === undefined || copied ? undefined : t("action.copyOf", { what: about })}
					{...(isPath ? key : {})}
					flex="none"
					maw="100%"
					leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
				>
					{copied ? t("action.copied") : (label ?? t("action.copy"))}
				</Button>
			)}
		</Copier>
	);
}
