import "@testing-library/jest-dom/vitest";
import { format } from "node:util";
import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { i18n, loadAllTexts } from "@/messages/i18n";

// Time after which a condition fails, for slow computers. Conditions that are met do not wait.
configure({ asyncUtilTimeout: 15_000 });

// A test can start on any page.
await loadAllTexts();

// Functions for measuring that Mantine calls, and that happy-dom lacks or implements differently.
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

// Tests wait for what the window shows, as a user does, and not for each update of React. Testing Library sets the flag
// to true only when it is loaded, which is once in a process, so that only its first test file had it. Its `act` still
// sets the flag while it runs, and the `act` of React must not be used.
beforeAll(() => {
	globalThis.IS_REACT_ACT_ENVIRONMENT = false;
});

// A message to the console fails the test. Tests that expect one mock the console.
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
