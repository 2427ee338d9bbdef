import { Tooltip, type TooltipProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { useNavigation } from "@/lib/navigation";

/** A tooltip of what stays when the page changes. It closes then: the pointer may rest, and it would cover the new page. */
export function Hint({ disabled = false, ...tooltip }: TooltipProps) {
	const { place } = useNavigation();
	const [shownAt, setShownAt] = useState(place);
	useEffect(() => setShownAt(place), [place]);
	return <Tooltip {...tooltip} disabled={disabled || shownAt !== place} />;
}
