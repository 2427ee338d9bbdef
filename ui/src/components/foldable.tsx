import { Accordion } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Lines } from "./text";

interface FoldableProps {
	title: string;
	/** Called on expanding, for content that is read only then. */
	onOpen?: () => void;
	/** Expands the section because something in it needs attention. */
	wanted?: boolean;
	children: ReactNode;
}

/** Expandable section, initially collapsed, for details that few users need. */
export function Foldable({ title, onOpen, wanted = false, children }: FoldableProps) {
	const [value, setValue] = useState<string | null>(null);
	// Stays expanded while the user corrects the field that expanded it.
	if (wanted && value === null) setValue("part");
	return (
		<Accordion
			variant="default"
			chevronPosition="left"
			chevronSize={16}
			styles={foldableStyles}
			// Every form has such a section, and few users expand it.
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
	// Aligns the title with the text above and below.
	control: { paddingInline: 6, marginInline: -6, width: "auto" },
	label: { paddingBlock: 5, fontSize: "var(--mantine-font-size-sm)" },
	chevron: { marginInlineStart: 0, marginInlineEnd: 6 },
	content: { paddingInline: 0, paddingBlock: 4 },
};

interface FurtherResponseProps {
	lines?: readonly string[] | undefined;
	/** Title, if a page shows the responses of several requests. */
	title?: string;
}

/** Text that a site returned in addition to the fields that the app reads. Renders nothing without any. */
export function FurtherResponse({ lines = [], title }: FurtherResponseProps) {
	const { t } = useTranslation();
	if (lines.length === 0) return null;
	return (
		<Foldable title={title ?? t("furtherResponse")}>
			<Lines lines={[...new Set(lines)]} />
		</Foldable>
	);
}
