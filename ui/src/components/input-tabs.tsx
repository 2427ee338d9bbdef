import { Stack, Tabs } from "@mantine/core";
import type { ReactNode } from "react";

interface InputTabsProps<W extends string> {
	way: W;
	onWay: (way: W) => void;
	/** Tabs in their order. */
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
