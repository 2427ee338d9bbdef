import { useEffect, useState } from "react";
import type { Millis } from "@/bridge";

/** The present, again every so many milliseconds. */
export function useNow(every: number): Millis {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}
