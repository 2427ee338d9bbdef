import { List, Text } from "@mantine/core";
import { LongText } from "./long-text";

/** Warnings returned by a site; renders nothing without any. */
export function WarningList({ title, messages }: { title: string; messages: readonly string[] }) {
	if (messages.length === 0) return null;
	return (
		<>
			<Text fw={600}>{title}</Text>
			<LongText length={messages.join().length} label={title}>
				<List>
					{[...new Set(messages)].map((message) => (
						<List.Item key={message} mod="anywhere">
							{message}
						</List.Item>
					))}
				</List>
			</LongText>
		</>
	);
}
