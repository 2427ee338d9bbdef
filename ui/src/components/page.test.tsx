import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderWith } from "@/test/render";
import { Page } from "./page";

/** How wide the row of the title may become. */
function headOf(title: string): string | undefined {
	const head = screen.getByRole("region", { name: title }).firstElementChild?.firstElementChild;
	return head instanceof HTMLElement ? head.style.maxWidth : undefined;
}

it("ends with its head where its cards end", () => {
	renderWith(
		<Page title="City GIS" width="wide" actions={<button type="button">Edit</button>}>
			<p>cards</p>
		</Page>,
	);
	expect(screen.getByRole("region", { name: "City GIS" }).style.maxWidth).toContain("75rem");
	expect(headOf("City GIS")).toBe("");
});

it("keeps what stands beside the title where it is on narrower pages, however wide the page", () => {
	renderWith(
		<>
			<Page title="Search" width="full" head="column" actions={<button type="button">Help</button>}>
				<p>a table</p>
			</Page>
			<Page title="History" width="full" actions={<button type="button">Save</button>}>
				<p>a table</p>
			</Page>
		</>,
	);
	expect(headOf("Search")).toContain("45rem");
	expect(headOf("History")).toBe("");
});
