import { Button } from "@mantine/core";
import type { IconProps } from "@tabler/icons-react";
import type { ComponentProps, ComponentType } from "react";

interface CommandButtonProps extends Omit<ComponentProps<typeof Button<"button">>, "children" | "loading" | "onClick"> {
	command: { isPending: boolean; mutate: () => void };
	label: string;
	icon?: ComponentType<IconProps>;
}

/** Button that sends a command. */
export function CommandButton({ command, label, icon: Icon, ...button }: CommandButtonProps) {
	return (
		<Button
			leftSection={Icon ? <Icon size={16} aria-hidden /> : null}
			loading={command.isPending}
			onClick={() => command.mutate()}
			{...button}
		>
			{label}
		</Button>
	);
}
