import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./fact-list.module.css";

/** Names and values in two columns. The columns of consecutive lists are aligned. */
export function FactList({ children }: { children: ReactNode }) {
	return <dl className={classes.list}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<Text component="dt" c="dimmed">
				{name}
			</Text>
			<Text component="dd" m={0} className={classes.fact ?? ""}>
				{children}
			</Text>
		</>
	);
}

/** Fact with several texts or buttons, below each other. */
export function LongFact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<Fact name={name}>
			<Stack gap="xs" pb="xs" align="flex-start">
				{children}
			</Stack>
		</Fact>
	);
}
