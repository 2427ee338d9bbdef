import { Tooltip, type TooltipProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { useNavigation } from "@/lib/navigation";

/**
 * Tooltip of an element that remains after navigation, for example in the sidebar. It closes then: the pointer might
 * not move, and the tooltip would cover the new page.
 */
export function Hint({ disabled = false, ...tooltip }: TooltipProps) {
	const { place } = useNavigation();
	const [shownAt, setShownAt] = useState(place);
	useEffect(() => setShownAt(place), [place]);
	return <Tooltip {...tooltip} disabled={disabled || shownAt !== place} />;
}
