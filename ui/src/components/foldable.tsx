import { Accordion } from "@mantine/core";
import type { ReactNode } from "react";

interface FoldableProps {
	title: string;
	/** Called when it is opened, for what is read only then. */
	onOpen?: () => void;
	children: ReactNode;
}

/** One foldable part, closed at first: for details that few need. */
export function Foldable({ title, onOpen, children }: FoldableProps) {
	return (
		<Accordion
			variant="default"
			chevronPosition="left"
			chevronSize={16}
			styles={foldableStyles}
			onChange={(opened) => opened && onOpen?.()}
		>
			<Accordion.Item value="part">
				<Accordion.Control>{title}</Accordion.Control>
				<Accordion.Panel>{children}</Accordion.Panel>
			</Accordion.Item>
		</Accordion>
	);
}

const foldableStyles = {
	item: { border: "none" },
	control: { paddingInline: 0, width: "auto" },
	label: { paddingBlock: 6, fontSize: "var(--mantine-font-size-sm)" },
	chevron: { marginInlineStart: 0, marginInlineEnd: 6 },
	content: { paddingInline: 0, paddingBlock: 4 },
};
