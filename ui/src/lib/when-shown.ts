import { type ComponentType, lazy } from "react";

/** A part of the window that is fetched when it is shown for the first time, so that the start is quick. */
export function whenShown<P extends object>(fetch: () => Promise<ComponentType<P>>) {
	return lazy(async () => ({ default: await fetch() }));
}
