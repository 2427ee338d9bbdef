import type { Backend } from "@/bridge";
import { i18n } from "@/messages/i18n";
import { logFault } from "./error-boundary";

/** Returns a handler for errors that no boundary contains. React has emptied the window, so plain DOM is used. */
export function lastResort(root: HTMLElement, backend: Pick<Backend, "logWindowFault">): (thrown: unknown) => void {
	return (thrown) => {
		console.error(thrown);
		logFault(backend, thrown, "");
		const text = document.createElement("p");
		text.role = "alert";
		text.textContent = `${i18n.t("brokenWindow.title")}. ${i18n.t("brokenWindow.body")} ${String(thrown)}`;
		const reload = document.createElement("button");
		reload.textContent = i18n.t("brokenWindow.reload");
		reload.addEventListener("click", () => window.location.reload());
		root.replaceChildren(text, reload);
	};
}
