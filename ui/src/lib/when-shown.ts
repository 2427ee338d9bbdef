import { type ComponentType, lazy } from "react";
import { loadAllTexts } from "@/messages/i18n";
import { started } from "./started";

type Fetch<P> = () => Promise<ComponentType<P>>;

async function withTexts<P>(fetch: Fetch<P>) {
	const [part] = await Promise.all([fetch(), loadAllTexts()]);
	return { default: part };
}

/** A part of the window that is fetched, with its texts, when it is shown for the first time, so that the start is quick. */
export function whenShown<P extends object>(fetch: Fetch<P>) {
	return lazy(() => withTexts(fetch));
}

/** A part of the window that the first screen does not show and that must be there for what may happen next. */
export function afterStart<P extends object>(fetch: Fetch<P>) {
	return lazy(async () => {
		await started;
		return withTexts(fetch);
	});
}
