import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useHeading } from "@/lib/use-heading";

interface PageProps {
	title: string;
	/** Name of the server that the page acts on, behind the title; `null` where it has no other beside it. */
	server?: string | null;
	/** Link above the title to the page that this one is a part of. */
	back?: ReactNode;
	/** One line below the title. */
	description?: string | undefined;
	/** Continues that line, as a link to the last result does. */
	last?: ReactNode;
	/** `wide` for lists, boards and results; `form` for what is filled in. */
	width?: keyof typeof pageWidths;
	/** Buttons beside the title. */
	actions?: ReactNode;
	children: ReactNode;
}

/** The edges that everything on a page keeps to, its head as well. */
export const pageWidths = { form: 720, wide: 1200 };

export function Page({ title, server = null, back, width = "form", actions, children, ...line }: PageProps) {
	const heading = useHeading();
	const { description, last } = line;
	return (
		<Box component="section" aria-label={title} mod={{ pageWidth: width }} maw={pageWidths[width]} w="100%">
			<Stack gap="sm">
				<Stack gap={2}>
					{back}
					<Group justify="space-between" align="flex-start" gap="md">
						<Title order={1} size="h2" ref={heading} tabIndex={-1} miw={0} flex="1 1 16rem" style={{ outline: "none" }}>
							{title}
							{server === null ? null : (
								<>
									{/* Without it, a screen reader says both as one word. */}{" "}
									<Text span inherit fw={400} c="dimmed">
										{server}
									</Text>
								</>
							)}
						</Title>
						{actions ? <Group gap="xs">{actions}</Group> : null}
					</Group>
					{/* With the whole width, also where the buttons take a second line. */}
					{description ? (
						<Text c="dimmed" component="div">
							{description} {last}
						</Text>
					) : null}
				</Stack>
				<Stack gap="lg">{children}</Stack>
			</Stack>
		</Box>
	);
}
