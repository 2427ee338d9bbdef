import { screen } from "@testing-library/react";
import { renderWith } from "@/test/render";
import { Page } from "./page";

/** How wide the page may become, and the row of its title. */
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
