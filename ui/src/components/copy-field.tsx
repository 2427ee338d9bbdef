import { Button, type ButtonProps, Code, CopyButton as Copier, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageKey } from "@/lib/page-keys";
import classes from "./copy-field.module.css";
import { Breakable } from "./text";

interface CopyFieldProps {
	/** Path, URL, or hash; shown in full in a monospace font. */
	value: string;
	label?: string;
	copyLabel?: string;
	/** Whether the value is a path, which a shortcut copies. */
	isPath?: boolean;
	children?: ReactNode;
}

export function CopyField({ value, label, copyLabel, isPath = false, children }: CopyFieldProps) {
	return (
		<Stack gap={4} miw={0}>
			{label ? <Text fw={600}>{label}</Text> : null}
			<Group gap="xs" align="center" miw={0}>
				<Code fz="xs" px="xs" py={6} flex="1 1 14rem" miw={0} className={classes.value ?? ""}>
					<Breakable>{value}</Breakable>
				</Code>
				<CopyButton
					value={value}
					isPath={isPath}
					{...(copyLabel === undefined ? { about: label } : { label: copyLabel })}
				/>
				{children}
			</Group>
		</Stack>
	);
}

interface CopyButtonProps extends Pick<ButtonProps, "variant"> {
	value: string;
	/** Names the copied value. Without it, the label is only "Copy". */
	label?: string;
	/** Accessible name of a button without `label`, to distinguish several such buttons on a page. */
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
