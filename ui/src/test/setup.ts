import "@testing-library/jest-dom/vitest";
import { format } from "node:util";
import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
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

// The tests wait for what the window shows, as a user does, and not for each update of React. Testing Library says the
// contrary in the first file of a process only, because what a file imports stays loaded: the others were without it. Its
// `act` still says it for as long as it runs, and that of React must not be used.
beforeAll(() => {
	globalThis.IS_REACT_ACT_ENVIRONMENT = false;
});

// What React, Mantine or the program complain of is a fault. A test that expects it puts a spy of its own in place of this.
const complaints: string[] = [];
beforeEach(() => {
	complaints.length = 0;
	vi.spyOn(console, "error").mockImplementation((...said: unknown[]) => void complaints.push(format(...said)));
});
afterEach(() => expect(complaints, "nothing is written to the console as an error").toEqual([]));

const { innerHeight } = window;

afterEach(async () => {
	cleanup();
	window.innerHeight = innerHeight;
	delete window.siteStewardStart;
	notifications.cleanQueue();
	notifications.clean();
	await i18n.changeLanguage("en");
	localStorage.clear();
	sessionStorage.clear();
	vi.useRealTimers();
});

declare global {
	var IS_REACT_ACT_ENVIRONMENT: boolean;
}
