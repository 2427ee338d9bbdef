import { Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

export function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
	const id = useId();
	return (
		<Paper withBorder p="lg" component="section" aria-labelledby={id}>
			<Stack gap="md">
				<Stack gap={2}>
					<Title order={2} size="h3" id={id}>
						{title}
					</Title>
					{hint ? <Text c="dimmed">{hint}</Text> : null}
				</Stack>
				{children}
			</Stack>
		</Paper>
	);
}
