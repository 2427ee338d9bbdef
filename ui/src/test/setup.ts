import "@testing-library/jest-dom/vitest";
import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { i18n, loadAllTexts } from "@/messages/i18n";

// A condition is waited for as long as a busy machine may need; one that is met costs nothing.
configure({ asyncUtilTimeout: 15_000 });

// A test may begin with any page.
await loadAllTexts();

// What Mantine measures with and happy-dom answers differently or not at all.
Object.defineProperty(window, "matchMedia", {
	writable: true,
	value: (query: string) => ({
		matches: false,
		media: query,
		onchange: null,
		addEventListener: () => {},
		removeEventListener: () => {},
		addListener: () => {},
		removeListener: () => {},
		dispatchEvent: () => false,
	}),
});
window.HTMLElement.prototype.scrollIntoView = () => {};

const { innerHeight } = window;

afterEach(async () => {
	cleanup();
	window.innerHeight = innerHeight;
	delete window.siteStewardStart;
	delete window.siteStewardKeys;
	notifications.cleanQueue();
	notifications.clean();
	await i18n.changeLanguage("en");
	localStorage.clear();
	sessionStorage.clear();
	vi.useRealTimers();
});
