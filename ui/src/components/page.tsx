import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useHeading } from "@/lib/use-heading";

interface PageProps {
	title: string;
	/** Name of the server that the page acts on, behind the title; `null` where it has no other beside it. */
	server?: string | null;
	/** One line below the title. */
	description?: string | undefined;
	/** `wide` for lists, boards and results; forms keep to one readable column. */
	width?: "column" | "wide" | "full";
	/**
	 * `column` keeps the buttons in one place on every page of a kind, however wide what stands below them is. They are
	 * small there: the line below the title has the whole width.
	 */
	head?: "page" | "column";
	/** Buttons beside the title. */
	actions?: ReactNode;
	children: ReactNode;
}

/** The edges that everything on a page keeps to, its head as well. `full` is for pages that are not on the grid yet. */
export const pageWidths = { column: 720, wide: 1200, full: undefined };

export function Page({
	title,
	server = null,
	description,
	width = "column",
	head = "page",
	actions,
	children,
}: PageProps) {
	const heading = useHeading();
	const line = description ? (
		<Text size="md" c="dimmed">
			{description}
		</Text>
	) : null;
	return (
		<Box component="section" aria-label={title} maw={pageWidths[width]} w="100%">
			<Stack gap="lg">
				<Stack gap={2} maw={head === "column" ? pageWidths.column : undefined}>
					<Group justify="space-between" align="flex-start" gap="md">
						<Stack gap={2} miw={0} flex="1 1 16rem">
							<Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: "none" }}>
								{title}
								{server === null ? null : (
									<Text span inherit fw={400} c="dimmed" ms="xs">
										{server}
									</Text>
								)}
							</Title>
							{head === "page" ? line : null}
						</Stack>
						{actions ? <Group gap="xs">{actions}</Group> : null}
					</Group>
					{head === "column" ? line : null}
				</Stack>
				{children}
			</Stack>
		</Box>
	);
}
