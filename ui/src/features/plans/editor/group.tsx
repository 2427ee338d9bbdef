import { Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

export function EditorGroup({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
	const id = useId();
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<Title order={2} size="h3" id={id}>
				{title}
			</Title>
			{hint ? <Text c="dimmed">{hint}</Text> : null}
			{children}
		</Stack>
	);
}
