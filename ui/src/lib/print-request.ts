import { useEffect, useEffectEvent } from "react";

const printers = new Set<() => void>();

/** Asks the page on screen to print itself. */
export function requestPrint(): void {
	for (const print of printers) print();
}

/** Prints when it is asked for, by a command or a key. */
export function usePrintRequest(print: () => void): void {
	const printNow = useEffectEvent(print);
	useEffect(() => {
		const printer = () => printNow();
		printers.add(printer);
		return () => {
			printers.delete(printer);
		};
	}, []);
}
