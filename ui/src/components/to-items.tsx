import { IconDatabase } from "@tabler/icons-react";
import type { Parameter, Target } from "@/bridge";
import { useBring } from "@/lib/brought";
import { operationThat, useOperationUis } from "@/lib/operation-ui";
import { LinkButton } from "./text";

interface ToItemsProps {
	target: Target;
	filter: Parameter;
	/** Words that filter the found items. */
	narrow: string;
	children: string;
}

export function ToItems({ target, filter, narrow, children }: ToItemsProps) {
	const bring = useBring();
	const key = operationThat(useOperationUis(), ({ finds }) => finds?.group === "items");
	const find = () => bring(target, key, { parameters: [filter], sentAt: null, narrow });
	return (
		<LinkButton ta="start" mod="anywhere" onClick={find}>
			<IconDatabase size={14} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 6 }} />
			{children}
		</LinkButton>
	);
}
