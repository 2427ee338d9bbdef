import { Center, Stack, Text } from "@mantine/core";
import type { IconProps } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { Heading } from "./text";

interface EmptyStateProps {
	icon: ComponentType<IconProps>;
	title: string;
	children?: ReactNode;
	/** Next step, usually one button. */
	action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
	return (
		<Center py="xl">
			<Stack align="center" gap="xs" maw={460}>
				<Icon size={40} stroke={1.25} color="var(--mantine-color-dimmed)" aria-hidden />
				<Heading ta="center">{title}</Heading>
				{children ? (
					<Text c="dimmed" ta="center" component="div">
						{children}
					</Text>
				) : null}
				{action}
			</Stack>
		</Center>
	);
}
