import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PageProps {
	title: string;
	/** One line below the title. */
	description?: string | undefined;
	/** `full` for tables; forms keep to one readable column. */
	width?: "column" | "full";
	/** Buttons beside the title. */
	actions?: ReactNode;
	children: ReactNode;
}

export function Page({ title, description, width = "column", actions, children }: PageProps) {
	return (
		<Box component="section" aria-label={title} maw={width === "column" ? 720 : undefined} w="100%">
			<Stack gap="lg">
				<Group justify="space-between" align="flex-start" gap="md">
					<Stack gap={2} miw={0} flex="1 1 200px">
						<Title order={1} size="h2">
							{title}
						</Title>
						{description ? <Text c="dimmed">{description}</Text> : null}
					</Stack>
					{actions ? <Group gap="xs">{actions}</Group> : null}
				</Group>
				{children}
			</Stack>
		</Box>
	);
}
