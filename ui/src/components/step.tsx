import { Badge, Group, Stack, Tabs } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { formatNumber } from "@/lib/format";
import { Heading } from "./text";

interface StepProps {
	number: number;
	title: string;
	/** Text at the end of the line of the title. */
	beside?: ReactNode;
	/** Whether nothing is left to do in this step. */
	done?: boolean;
	/** Place among steps that follow each other: the one to do now has a ring, and later ones are dimmed. */
	turn?: "now" | "later" | undefined;
	children: ReactNode;
}

/**
 * One numbered step of a form. All steps are visible at once, so that the user sees every consequence before
 * submitting.
 */
export function Step({ number, title, beside, done = false, turn, children }: StepProps) {
	const id = useId();
	return (
		<Stack gap="sm" component="section" aria-labelledby={id} aria-current={turn === "now" ? "step" : undefined}>
			<Group gap="xs" wrap="nowrap">
				<Badge
					circle
					variant={done ? "filled" : "default"}
					size="lg"
					{...(turn === "now" ? { bd: "2px solid var(--accent)", c: "var(--accent)" } : {})}
				>
					{done ? <IconCheck size={14} aria-hidden style={{ display: "block" }} /> : formatNumber(number)}
				</Badge>
				<Heading id={id} flex={1} {...(turn === "later" ? { fw: 400, c: "dimmed" } : {})}>
					{title}
				</Heading>
				{beside}
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
