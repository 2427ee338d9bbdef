import { type ComponentType, lazy } from "react";
import { loadAllTexts } from "@/messages/i18n";
import { started } from "./started";

type Fetch<P> = () => Promise<ComponentType<P>>;

async function withTexts<P>(fetch: Fetch<P>) {
	const [part] = await Promise.all([fetch(), loadAllTexts()]);
	return { default: part };
}

/** Loads a component with its texts when it is first shown, which keeps the start quick. */
export function whenShown<P extends object>(fetch: Fetch<P>) {
	return lazy(() => withTexts(fetch));
}

/** Loads a component after the start that later events need, although the first screen does not show it. */
export function afterStart<P extends object>(fetch: Fetch<P>) {
	return lazy(async () => {
		await started;
		return withTexts(fetch);
	});
}
