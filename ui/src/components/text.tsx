import { Anchor, List, type ListProps, Text, Title } from "@mantine/core";
import { Breakable } from "./breakable";

/** Small text in gray, for example an age or a source. */
export const Small = Text.withProps({ size: "xs", c: "dimmed" });

export const Heading = Title.withProps({ order: 2, size: "h3" });

/** Button that looks like a link, within text or a table. */
export const LinkButton = Anchor.withProps<"button">({ component: "button", type: "button", size: "sm" });

export function Lines({ lines, ...list }: Omit<ListProps, "children"> & { lines: readonly string[] }) {
	return (
		<List {...list}>
			{lines.map((line, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal
				<List.Item key={`${at} ${line}`} mod="anywhere">
					<Breakable>{line}</Breakable>
				</List.Item>
			))}
		</List>
	);
}
