import { Stack, Tabs } from "@mantine/core";
import type { ReactNode } from "react";

interface InputTabsProps<W extends string> {
	way: W;
	onWay: (way: W) => void;
	/** In their order: what a way is called, and its form. */
	ways: readonly { way: W; label: string; form: ReactNode }[];
}

/** Several ways to one operation: from the list of the site, from a file, by identifier. */
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
