import { screen, within } from "@testing-library/react";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const heading = (level: number, name: string) => screen.findByRole("heading", { level, name }, { timeout: 10_000 });

test("F1 opens the page about what is on screen, also from within a field, and leads back to it", async () => {
	const { user } = renderWith(<App />, { world: { preferences: lastAt("city"), ...signedInSite().world } });
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Portal export" }));
	await user.type(await screen.findByLabelText(/Folder the portal can write to/), "/srv/backups{F1}");

	await heading(2, "Export a portal");
	await user.click(screen.getByRole("button", { name: "Back" }));
	await heading(1, "Portal export");
	expect(screen.getByLabelText(/Folder the portal can write to/)).toHaveValue("/srv/backups");
});

test("the help on an operation is beside its name", async () => {
	const { user } = renderWith(<App />, { world: { preferences: lastAt("city"), ...signedInSite().world } });
	const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
	await user.click(await sidebar.findByRole("button", { name: "Webhooks" }));
	await user.click(await screen.findByRole("button", { name: "Help: Webhooks" }));
	await heading(2, "Deactivate webhooks");
});
