import { useEffect, useState } from "react";
import type { Millis } from "@/bridge";

/** Returns the current time, updated every `every` milliseconds. */
export function useNow(every: number): Millis {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}
