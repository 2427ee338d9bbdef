import { Badge, Group, Stack, Tabs } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { formatNumber } from "@/lib/format";
import { Heading } from "./text";

interface StepProps {
	number: number;
	title: string;
	/** Whether nothing is left to do in this step. */
	done?: boolean;
	children: ReactNode;
}

/**
 * One numbered step of a form. All steps are visible at once, so that the user sees every consequence before
 * submitting.
 */
export function Step({ number, title, done = false, children }: StepProps) {
	const id = useId();
	return (
		<Stack gap="sm" component="section" aria-labelledby={id}>
			<Group gap="xs" wrap="nowrap">
				<Badge circle variant={done ? "filled" : "default"} size="lg">
					{done ? <IconCheck size={14} aria-hidden style={{ display: "block" }} /> : formatNumber(number)}
				</Badge>
				<Heading id={id}>{title}</Heading>
			</Group>
			<Stack gap="sm" ps={34}>
				{children}
			</Stack>
		</Stack>
	);
}

interface InputTabsProps<W extends string> {
	way: W;
	onWay: (way: W) => void;
	ways: readonly { way: W; label: string; form: ReactNode }[];
}

/** Tabs for several ways to provide the input of an operation: the list of the site, a file, or an ID. */
export function InputTabs<W extends string>({ way, onWay, ways }: InputTabsProps<W>) {
	return (
		<Tabs value={way} onChange={(value) => onWay(value as W)} keepMounted={false}>
			<Stack>
				<Tabs.List>
					{ways.map((one) => (
						<Tabs.Tab key={one.way} value={one.way}>
							{one.label}
						</Tabs.Tab>
					))}
				</Tabs.List>
				{ways.map((one) => (
					<Tabs.Panel key={one.way} value={one.way}>
						{one.form}
					</Tabs.Panel>
				))}
			</Stack>
		</Tabs>
	);
}
