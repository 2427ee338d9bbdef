import { Text } from "@mantine/core";
import { LongText } from "./long-text";
import { Lines } from "./text";

/** Warnings returned by a site; renders nothing without any. */
export function WarningList({ title, messages }: { title: string; messages: readonly string[] }) {
	if (messages.length === 0) return null;
	return (
		<>
			<Text fw={600}>{title}</Text>
			<LongText length={messages.join().length} label={title}>
				<Lines lines={[...new Set(messages)]} />
			</LongText>
		</>
	);
}
