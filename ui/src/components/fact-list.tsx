import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./fact-list.module.css";

/** Facts in two columns: what each is, and what it says. Lists below each other stay in line. */
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
