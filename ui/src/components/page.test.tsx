import { readdirSync, readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { renderWith } from "@/test/render";
import { Page } from "./page";

/** Returns the maximum width of a page and of the row of its title. */
function widthsOf(title: string): (string | undefined)[] {
	const page = screen.getByRole("region", { name: title });
	const head = page.firstElementChild?.firstElementChild;
	return [page.style.maxWidth, head instanceof HTMLElement ? head.style.maxWidth : undefined];
}

test.each([
	["wide", "calc(75rem * var(--mantine-scale))"],
	["form", "calc(45rem * var(--mantine-scale))"],
] as const)("the title row of a page that is %s ends where its content ends", (width, to) => {
	renderWith(
		<Page title="City GIS" width={width} actions={<button type="button">Edit</button>}>
			<p>cards</p>
		</Page>,
	);
	expect(widthsOf("City GIS")).toEqual([to, ""]);
});

/** Files of all pages, as the window imports them. */
const loaded = [...readFileSync("src/app/content.tsx", "utf8").matchAll(/import\("@\/(features\/[^"]+)"\)/g)].map(
	([, file]) => `src/${file}.tsx`,
);

test("every page of the window is inside Page", () => {
	expect(loaded).toContain("src/features/settings/settings-page.tsx");
	const outside = loaded.filter((file) => !/<Page\b/.test(readFileSync(file, "utf8")));
	// The step of a restore and the panel of the tour are rendered above the page.
	expect(outside).toEqual([
		"src/features/plans/restore/restore-step.tsx",
		"src/features/practice/guided-tour-panel.tsx",
	]);
});

test("every page of the window is shown by a test of its feature, with a look for what a screen reader lacks", () => {
	const untested = loaded.filter((file) => {
		const [, feature] = file.match(/^(src\/features\/[^/]+)\//) ?? [];
		const name = file.match(/([^/]+)\.tsx$/)?.[1];
		const files = readdirSync(feature as string, { recursive: true, encoding: "utf8" });
		const tests = files.filter((one) => one.endsWith(".test.tsx"));
		const sources = tests.map((one) => readFileSync(`${feature}/${one}`, "utf8"));
		return !sources.some((source) => source.includes(`/${name}"`) && source.includes("axeFindings"));
	});
	expect(untested).toEqual([]);
});

test("a screen reader says title and server as two words", () => {
	renderWith(
		<Page title="Server export" beside="gisapp01">
			<p>form</p>
		</Page>,
	);
	expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Server export gisapp01");
});
