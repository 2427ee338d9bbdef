import { Text } from "@mantine/core";
import type { Millis } from "@/bridge";
import { Time } from "./time";

/** When something was done: exact on hover. */
export function DoneAt({ at }: { at: Millis }) {
	return (
		<Text size="sm" c="dimmed">
			<Time at={at} />
		</Text>
	);
}
