import { useEffect, useEffectEvent } from "react";

const printers = new Set<() => void>();

export function requestPrint(): void {
	for (const print of printers) print();
}

/** Calls `print` when a command or shortcut requests it. */
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
