import { useEffect, useState } from "react";
import type { Problem } from "@/bridge";

/**
 * What of a problem no field shows: all of it, unless it is the fault of a field that is on screen. Fields have the name
 * of their value in `data-path`; a form puts the fault there.
 */
export function useUnshown(problem: Problem | null): Problem | null {
	const field = problem?.kind === "form" ? problem.field : null;
	const [unshown, setUnshown] = useState<Problem | null>(null);
	useEffect(() => {
		if (field === null) return;
		// A part that is folded opens for its field first.
		const frame = requestAnimationFrame(() => {
			if (document.querySelector(`[data-path="${field}"]`) === null) setUnshown(problem);
		});
		return () => cancelAnimationFrame(frame);
	}, [problem, field]);
	return field === null || unshown === problem ? problem : null;
}
