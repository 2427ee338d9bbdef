import { type ComponentType, lazy } from "react";
import { loadAllTexts } from "@/messages/i18n";

/** A part of the window that is fetched, with its texts, when it is shown for the first time, so that the start is quick. */
export function whenShown<P extends object>(fetch: () => Promise<ComponentType<P>>) {
	return lazy(async () => {
		const [part] = await Promise.all([fetch(), loadAllTexts()]);
		return { default: part };
	});
}
