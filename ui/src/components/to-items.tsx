import { Anchor } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import type { Parameter, Target } from "@/bridge";
import { useBring } from "@/lib/brought";

interface ToItemsProps {
	target: Target;
	filter: Parameter;
	/** The words by which it is seen among what is found. */
	narrow: string;
	children: string;
}

/** Leads to data store items. */
export function ToItems({ target, filter, narrow, children }: ToItemsProps) {
	const bring = useBring();
	const find = () => bring(target, "find_items", { parameters: [filter], sentAt: null, narrow });
	return (
		<Anchor component="button" type="button" size="sm" ta="start" style={{ overflowWrap: "anywhere" }} onClick={find}>
			<IconDatabase size={14} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 6 }} />
			{children}
		</Anchor>
	);
}
