import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

function open() {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	return { ...renderWith(<App />, backend, lastAt(site.id)), backend };
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

test("Ctrl+Enter presses the main button of the page, and its tooltip says so", async () => {
	const { user } = open();
	await heading("Overview");
	await user.keyboard("{Control>}2{/Control}");
	await user.type(await screen.findByLabelText(/^Folder the portal can write to/), "/srv/backups");
	const button = screen.getByRole("button", { name: "Export portal" });
	expect(button).toHaveAttribute("title", "Ctrl+Enter");
	screen.getByRole("button", { name: /^Select a site/ }).focus();
	await user.keyboard("{Control>}{Enter}{/Control}");
	expect(await screen.findByText(/^Exported City GIS in/)).toBeVisible();
});

test("Ctrl+Enter sends nothing while a dialog is open", async () => {
	const { user, backend } = open();
	const sent = vi.spyOn(backend, "exportPortal");
	await heading("Overview");
	await user.keyboard("{Control>}2{/Control}");
	await user.type(await screen.findByLabelText(/^Folder the portal can write to/), "/srv/backups");
	await user.click(await heading("Portal export"));
	await user.keyboard("{Shift>}?{/Shift}");
	const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
	await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
	await user.keyboard("{Control>}{Enter}{/Control}");
	expect(sent).not.toHaveBeenCalled();
	// The dialog lists the keys.
	for (const words of ["Submit form", "Reload the list", "Find on the page", "Copy path"]) {
		expect(within(dialog).getByText(words)).toBeInTheDocument();
	}
});

test("Ctrl+R asks for the list again, and F5 too; neither loads the window again", async () => {
	const { user, backend } = open();
	const listed = vi.spyOn(backend, "listServices");
	await heading("Overview");
	await user.keyboard("{Control>}5{/Control}");
	const refresh = await screen.findByRole("button", { name: "Reload" });
	expect(refresh).toHaveAttribute("title", "Ctrl+R");
	listed.mockClear();
	await user.keyboard("{Control>}r{/Control}");
	await waitFor(() => expect(listed).toHaveBeenCalledTimes(1));
	await waitFor(() => expect(refresh).toBeEnabled());
	await user.keyboard("{F5}");
	await waitFor(() => expect(listed).toHaveBeenCalledTimes(2));
	const event = new KeyboardEvent("keydown", { key: "r", ctrlKey: true, bubbles: true, cancelable: true });
	expect(document.body.dispatchEvent(event)).toBe(false);
});

test("Ctrl+F leads to the search of the page", async () => {
	const { user } = open();
	await heading("Overview");
	await user.keyboard("{Control>}5{/Control}");
	const services = await screen.findByRole("searchbox", { name: /^Search/ });
	expect(services).toHaveAttribute("title", "Ctrl+F");
	await user.keyboard("{Control>}f{/Control}");
	expect(services).toHaveFocus();
	await user.keyboard("{Control>}{Shift>}H{/Shift}{/Control}");
	await heading("History");
	await user.keyboard("{Control>}f{/Control}hydrants");
	expect(await screen.findByLabelText("Search")).toHaveValue("hydrants");
});

test("Ctrl+Shift+C copies the path that the page shows, and says so", async () => {
	const { user } = open();
	const copied = vi.spyOn(navigator.clipboard, "writeText");
	await heading("Overview");
	await user.keyboard("{Control>}2{/Control}");
	await user.type(await screen.findByLabelText(/^Folder the portal can write to/), "/srv/backups{Enter}");
	await screen.findByText(/^Exported City GIS in/);
	expect(await screen.findByRole("button", { name: "Copy path" })).toHaveAttribute("title", "Ctrl+Shift+C");
	await user.keyboard("{Control>}{Shift>}C{/Shift}{/Control}");
	expect(copied).toHaveBeenCalledWith(expect.stringContaining("/srv/backups"));
	await waitFor(() => expect(screen.getByRole("button", { name: "Copied" })).toHaveFocus());
});
