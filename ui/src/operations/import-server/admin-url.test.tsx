import { screen, waitFor } from "@testing-library/react";
import { App } from "@/app/app";
import { fakeBackend } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { fill, lastAt, press, renderWith, signedInSite } from "@/test/render";

/** Opens the import form of a site whose server is behind a web adaptor. */
async function open() {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world: { ...world, sites: [{ ...site, importAddresses: {} }] } });
	const view = renderWith(<App />, backend, lastAt(site.id));
	await view.user.click(await screen.findByRole("button", { name: "Server import" }));
	await screen.findByRole("heading", { level: 1, name: "Server import" });
	return { ...view, backend, site };
}

const submit = () => screen.getByRole("button", { name: "Replace City GIS" });

test("an import that would pass the web adaptor asks for the administration URL before anything is sent", async () => {
	const { user, backend, site } = await open();
	const saved = vi.spyOn(backend, "saveSite");
	expect(await screen.findByText("Save the administration URL first.")).toBeVisible();
	expect(submit()).toBeDisabled();

	await user.type(screen.getByLabelText("Administration URL"), "https://gisapp01.example.org:6443/arcgis");
	await user.click(screen.getByRole("button", { name: "Save" }));

	const adminUrl = "https://gisapp01.example.org:6443/arcgis";
	await waitFor(() => expect(saved).toHaveBeenCalledWith(expect.objectContaining({ id: site.id })));
	expect(saved.mock.calls[0]?.[0].servers).toMatchObject([{ id: site.currentServer, adminUrl }]);
	expect(await screen.findByText(/^The requests are sent to /)).toHaveTextContent(adminUrl);
	expect(screen.queryByLabelText("Administration URL")).toBeNull();
});

test("an administration URL that is none is marked at its field", async () => {
	const { user, backend } = await open();
	backend.saveSite = () => Promise.reject(wrong("servers.0.adminUrl", "notAnAddress"));
	const field = await screen.findByLabelText("Administration URL");
	await user.type(field, "no address");
	await user.click(screen.getByRole("button", { name: "Save" }));
	await waitFor(() => expect(field).toBeInvalid());
});

test("an import is sent through the web adaptor only where that is selected", async () => {
	const { user } = await open();
	await user.click(await screen.findByLabelText("Import through the web adaptor"));
	expect(screen.queryByText("Save the administration URL first.")).toBeNull();
	expect(await screen.findByText("Select a file first.")).toBeVisible();
});

test("an import that may pass the web adaptor says so in its request", async () => {
	const { user, backend } = await open();
	const sent = vi.spyOn(backend, "importServer");
	const box = await screen.findByLabelText("Import through the web adaptor");
	expect(box).toHaveAccessibleDescription(/time limits.*the outcome of the import is unknown/);
	await user.click(box);
	await user.click(screen.getByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await press(user, "Replace City GIS");
	await screen.findByText(/^Imported into City GIS/);
	expect(sent.mock.calls[0]?.[2].options).toMatchObject({ throughWebAdaptor: true });
});
