import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
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

afterEach(() => {
	cleanup();
	localStorage.clear();
	vi.useRealTimers();
});
