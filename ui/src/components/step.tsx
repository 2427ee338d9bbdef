import { Badge, Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A part of a careful operation. All of them stay visible: nothing of what is about to happen hides behind a "next". */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
	const id = useId();
	return (
		<Stack gap="sm" component="section" aria-labelledby={id}>
			<Group gap="xs" wrap="nowrap">
				<Badge circle variant="default" size="lg">
					{number}
				</Badge>
				<Title order={2} size="h5" id={id}>
					{title}
				</Title>
			</Group>
			<Stack gap="sm" ps={34}>
				{children}
			</Stack>
		</Stack>
	);
}
