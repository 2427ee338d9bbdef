import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

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

// A machine that is busy elsewhere is slow, and not wrong.
configure({ asyncUtilTimeout: 5_000 });

afterEach(() => {
	cleanup();
	localStorage.clear();
	sessionStorage.clear();
	vi.useRealTimers();
});
