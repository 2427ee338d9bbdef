import { Accordion } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface FoldableProps {
	title: string;
	/** Called when it is opened, for what is read only then. */
	onOpen?: () => void;
	/** Opens it while something in it wants the person. */
	wanted?: boolean;
	children: ReactNode;
}

/** One foldable part, closed at first: for details that few need. */
export function Foldable({ title, onOpen, wanted = false, children }: FoldableProps) {
	const [value, setValue] = useState<string | null>(null);
	// Once open it stays open: what is being corrected must not fold away under the hand.
	if (wanted && value === null) setValue("part");
	return (
		<Accordion
			variant="default"
			chevronPosition="left"
			chevronSize={16}
			styles={foldableStyles}
			// Few open it, and every form has one.
			keepMounted={false}
			value={value}
			onChange={(opened) => {
				setValue(opened);
				if (opened) onOpen?.();
			}}
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
	// Its words stand in line with what is above and below it.
	control: { paddingInline: 6, marginInline: -6, width: "auto" },
	label: { paddingBlock: 5, fontSize: "var(--mantine-font-size-sm)" },
	chevron: { marginInlineStart: 0, marginInlineEnd: 6 },
	content: { paddingInline: 0, paddingBlock: 4 },
};
