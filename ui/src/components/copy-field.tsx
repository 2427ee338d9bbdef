import { Code, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Breakable } from "./breakable";
import { CopyButton } from "./copy-button";
import classes from "./copy-field.module.css";

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
