import {
	ActionIcon,
	Button,
	type ButtonProps,
	Menu,
	type MenuDropdownProps,
	type MenuItemProps,
	type MenuProps,
} from "@mantine/core";
import { IconChevronDown, IconDeviceFloppy, IconDots, type IconProps } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";

interface MenuButtonProps extends Pick<ButtonProps, "disabled" | "loading">, Pick<MenuDropdownProps, "maw"> {
	label: string;
	icon: ComponentType<IconProps>;
	/** Accessible name, to distinguish several menus on a page. */
	about?: string;
	position?: NonNullable<MenuProps["position"]>;
	children: ReactNode;
}

export function MenuButton({
	label,
	icon: Icon,
	about,
	position = "bottom-end",
	maw,
	children,
	...button
}: MenuButtonProps) {
	return (
		<Menu position={position}>
			<Menu.Target>
				<Button
					leftSection={<Icon size={16} aria-hidden />}
					rightSection={<IconChevronDown size={14} aria-hidden />}
					aria-label={about}
					{...button}
				>
					{label}
				</Button>
			</Menu.Target>
			<Menu.Dropdown {...(maw === undefined ? {} : { maw })}>{children}</Menu.Dropdown>
		</Menu>
	);
}

/** Menu for infrequent actions of a row or page. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<ActionIcon variant="default" aria-label={label}>
					<IconDots size={16} stroke={1.5} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>{children}</Menu.Dropdown>
		</Menu>
	);
}

interface IconItemProps extends Omit<MenuItemProps, "children"> {
	label: string;
	icon: ComponentType<IconProps>;
	onClick: () => void;
}

export function IconItem({ label, icon: Icon, ...item }: IconItemProps) {
	return (
		<Menu.Item leftSection={<Icon size={16} aria-hidden />} {...item}>
			{label}
		</Menu.Item>
	);
}

interface SaveMenuProps<F extends string> extends Pick<MenuButtonProps, "label" | "disabled" | "position"> {
	formats: readonly F[];
	nameOf: (format: F) => string;
	save: { isPending: boolean; mutate: (format: F) => void };
	/** Further items. */
	children?: ReactNode;
}

/** Menu that saves a file in one of several formats, in the system's file dialog. */
export function SaveMenu<F extends string>({ formats, nameOf, save, children, ...button }: SaveMenuProps<F>) {
	return (
		<MenuButton icon={IconDeviceFloppy} loading={save.isPending} {...button}>
			{formats.map((format) => (
				<Menu.Item key={format} onClick={() => save.mutate(format)}>
					{nameOf(format)}
				</Menu.Item>
			))}
			{children}
		</MenuButton>
	);
}
