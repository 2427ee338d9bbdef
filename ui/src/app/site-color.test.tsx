import { screen } from "@testing-library/react";
import { UndoImport } from "@/operations/import-server/undo-import";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

function open(color: "red" | "teal") {
	const { site, world } = signedInSite();
	const coloured = { ...site, color, environment: "test" as const };
	return renderWith(<App />, { world: { ...world, sites: [coloured] } }, lastAt(site.id));
}

const first = (all: HTMLElement[]) => all.find((one) => !(one as HTMLInputElement).disabled) as HTMLElement;

test.each(["All sites", "History", "Settings", "Help"])(
	"the page %s is of no site, and wears the color of none",
	async (page) => {
		const { user } = open("red");
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		if (page === "All sites") await user.keyboard("{Control>}{Shift>}S{/Shift}{/Control}");
		else await user.click(screen.getByRole("button", { name: page }));
		await screen.findByRole("heading", { level: 1, name: page });
		const bar = screen.getByRole("banner").firstElementChild;
		expect(bar?.getAttribute("style")).not.toContain("-color-red-");
		expect(bar).toHaveTextContent("Site Steward");
		expect(bar).not.toHaveTextContent("City GIS");
	},
);

describe.each(["red", "teal"] as const)("a site that is %s shows it", (color) => {
	const shows = (one: Element | null | undefined) => expect(one?.getAttribute("style")).toContain(`-color-${color}-`);

	test("on its bar, beside its name and in the list of all sites", async () => {
		const { user } = open(color);
		await screen.findByRole("heading", { level: 1, name: "Overview" });
		shows(screen.getByRole("banner").firstElementChild);
		const choice = screen.getByRole("button", { name: "Select a site: City GIS" });
		shows(choice.querySelector(".mantine-ColorSwatch-colorOverlay"));
		await user.keyboard("{Control>}{Shift>}S{/Shift}{/Control}");
		const row = await screen.findByRole("row", { name: "City GIS" });
		shows(row.querySelector(".mantine-ColorSwatch-colorOverlay"));
	});

	test("along the question before its webhooks fall silent", async () => {
		const { user } = open(color);
		await user.click(await screen.findByRole("button", { name: "Webhooks" }));
		await user.click(first(await screen.findAllByRole("checkbox", { name: /Server$/ })));
		await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
		shows(await screen.findByRole("dialog"));
	});

	test("along the question before a contact is changed", async () => {
		const { user } = open(color);
		await user.click(await screen.findByRole("button", { name: "Participants" }));
		await user.click(first(await screen.findAllByRole("radio")));
		await user.type(await screen.findByLabelText("First name"), "x");
		await user.click(screen.getByRole("button", { name: /^Update contact of / }));
		shows(await screen.findByRole("dialog"));
	});

	test("along the question before an import is undone", async () => {
		const { site, world } = signedInSite();
		const { user } = renderWith(<UndoImport site={{ ...site, color }} target="City GIS" record="import" />, { world });
		await user.click(await screen.findByRole("button", { name: "Undo this import" }));
		shows(await screen.findByRole("dialog"));
	});
});
