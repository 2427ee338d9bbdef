import { Button, type ButtonProps, CopyButton as Copier } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { usePageKey } from "@/lib/page-keys";

interface CopyButtonProps extends Pick<ButtonProps, "variant"> {
	value: string;
	/** Says what is copied; the plain "Copy" is read out together with it. */
	label?: string;
	/** Whether it is a path, which a key copies as well. */
	isPath?: boolean;
}

export function CopyButton({ value, label, variant = "default", isPath = false }: CopyButtonProps) {
	const key = usePageKey("copyPath");
	const { t } = useTranslation();
	return (
		<Copier value={value}>
			{({ copied, copy }) => (
				<Button
					variant={variant}
					onClick={copy}
					{...(isPath ? key : {})}
					style={{ flex: "none", maxWidth: "100%" }}
					leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
				>
					{copied ? t("action.copied") : (label ?? t("action.copy"))}
				</Button>
			)}
		</Copier>
	);
}
