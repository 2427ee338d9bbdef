import { useSyncExternalStore } from "react";
import { type OperationKey, operations, type SiteView } from "@/bridge";
import { unlockedUntil } from "./unlocked-until";

/** Whether the operation changes the site. A copy of it is no change. */
export function changesSite(key: OperationKey): boolean {
	return operations.some((one) => one.key === key && (one.impact === "changes" || one.impact === "replaces"));
}

/** Whether the site takes no changes now: it is read-only, and not unlocked. */
export function useReadOnly(site: SiteView | null): boolean {
	// Only an unlocked site locks itself as time goes by.
	const changes = site?.readOnly === true && site.unlockedUntil !== null;
	return useSyncExternalStore(
		changes ? everySecond : never,
		() => site?.readOnly === true && unlockedUntil(site, Date.now()) === null,
	);
}

const never = () => () => {};

function everySecond(look: () => void): () => void {
	const timer = setInterval(look, 1_000);
	return () => clearInterval(timer);
}
