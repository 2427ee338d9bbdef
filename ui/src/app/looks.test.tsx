import { act } from "@testing-library/react";
import { vi } from "vitest";
import { usualPreferences } from "@/lib/preferences";
import { renderWith } from "@/test/render";
import { themeCss } from "../../build/theme-css";
import { resolveVariables } from "./theme";

const scheme = () => document.documentElement.getAttribute("data-mantine-color-scheme");
const looking = (theme: "light" | "dark" | "system") => ({
	preferences: { ...usualPreferences, theme },
	setAside: [],
	policy: null,
});

/** Simulates a desktop that can change between light and dark. */
function desktop() {
	let listeners: ((event: { matches: boolean }) => void)[] = [];
	const media = {
		matches: false,
		addEventListener: (_: string, listener: (typeof listeners)[number]) => listeners.push(listener),
		removeEventListener: (_: string, gone: unknown) => {
			listeners = listeners.filter((one) => one !== gone);
		},
	};
	const ordinary = window.matchMedia("");
	vi.spyOn(window, "matchMedia").mockImplementation((query) =>
		query.includes("color-scheme") ? (media as unknown as MediaQueryList) : ordinary,
	);
	return (dark: boolean) => {
		media.matches = dark;
		for (const listener of listeners) listener({ matches: dark });
	};
}

beforeEach(() => document.documentElement.removeAttribute("data-mantine-color-scheme"));

test("whoever wants it dark on a light desktop never sees it light", () => {
	const set = vi.spyOn(document.documentElement, "setAttribute");
	renderWith(null, {}, looking("dark"));
	const seen = set.mock.calls.filter(([name]) => name === "data-mantine-color-scheme").map(([, value]) => value);
	expect(new Set(seen)).toEqual(new Set(["dark"]));
});

test("whoever wants it as the desktop has it sees the desktop change", () => {
	const turn = desktop();
	renderWith(null, {}, looking("system"));
	expect(scheme()).toBe("light");
	act(() => turn(true));
	expect(scheme()).toBe("dark");
	act(() => turn(false));
	expect(scheme()).toBe("light");
});

test("a start makes no style of the theme: that is in the style sheet", () => {
	renderWith(null);
	expect(document.querySelectorAll("style[data-mantine-styles]")).toHaveLength(0);
});

test("the style sheet has the variables of both schemes, and the classes of the breakpoints", () => {
	const sheet = themeCss();
	const { light, dark } = resolveVariables({} as Parameters<typeof resolveVariables>[0]);
	for (const [variables, scheme] of [
		[light, "light"],
		[dark, "dark"],
	] as const) {
		const own = sheet
			.split(`:root[data-mantine-color-scheme="${scheme}"]`)
			.slice(1)
			.map((rule) => rule.split("}")[0]);
		expect(own.join()).toContain(`--mantine-color-scheme: ${scheme};`);
		for (const [name, value] of Object.entries(variables)) expect(own.join()).toContain(`${name}: ${value};`);
	}
	expect(sheet).toContain("--mantine-font-size-sm: 0.8125rem;");
	expect(sheet).toContain(".mantine-visible-from-xs {");
});
