import { Group, Paper, Stack, type StackProps, Text } from "@mantine/core";
import { type ReactNode, type Ref, useId } from "react";
import { Heading } from "./text";

interface SectionProps extends Omit<StackProps, "title"> {
	title: ReactNode;
	/** Sentence below the title. */
	hint?: string;
	/** Text or buttons beside the title. */
	beside?: ReactNode;
	tabIndex?: number;
	ref?: Ref<HTMLDivElement> | undefined;
}

export function Section({ title, hint, beside, children, ...stack }: SectionProps) {
	const id = useId();
	return (
		<Stack gap="xs" component="section" aria-labelledby={id} {...stack}>
			<Group gap="xs">
				<Stack gap={2} flex={1}>
					<Heading id={id}>{title}</Heading>
					{hint ? <Text c="dimmed">{hint}</Text> : null}
				</Stack>
				{beside}
			</Group>
			{children}
		</Stack>
	);
}

/** Section with a frame, for pages that consist of several forms. */
export function Card(section: SectionProps) {
	return (
		<Paper withBorder p="lg">
			<Section gap="md" {...section} />
		</Paper>
	);
}
