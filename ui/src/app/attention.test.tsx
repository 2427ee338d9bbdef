import { screen, waitFor, within } from "@testing-library/react";
import type { Target } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { deactivated, deactivatedConcern, servicesWithActive, unsavedConcern } from "@/test/deactivation";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site, world } = signedInSite();

test("the marks beside the operations count the rows of the overview, and say the same", async () => {
	const concerns = [deactivatedConcern(["mains-leaks", "mains-repairs"]), unsavedConcern];
	renderWith(<App />, fakeBackend({ world: { ...world, concerns } }), lastAt(site.id));

	const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
	const silent = "2 webhooks of gis.example.org are deactivated";
	expect(await attention.findByText(silent)).toBeVisible();
	const link = (name: string) => within(screen.getByRole("navigation")).getByRole("button", { name });
	await waitFor(() => expect(link("Webhooks")).toHaveAccessibleDescription(silent));
	expect(within(link("Webhooks")).getByText("1")).toBeInTheDocument();
	expect(link("Invitations")).toHaveAccessibleDescription("1 refreshed invitation is not saved to a file");
	expect(link("Portal export")).not.toHaveAccessibleDescription();
});

test("an export is on the overview once it is there", async () => {
	const backend = fakeBackend({ world });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const link = (name: string) => within(screen.getByRole("navigation")).getByRole("button", { name });
	const server = () => screen.getAllByRole("row")[2];
	await waitFor(() => expect(server()).toHaveTextContent(/Neveras recorded here/));

	await user.click(link("Server export"));
	await user.click(await screen.findByRole("button", { name: "Choose a destination and export" }));
	await screen.findByText(/^Exported City GIS/);

	await user.click(link("Overview"));
	expect(await screen.findByText(/: export of .* is not verified on this computer/)).toBeVisible();
});

test("webhooks of services that may be active still are told apart", async () => {
	const services = ["Parks/Trees.FeatureServer", "Water/Mains.FeatureServer"];
	const concerns = [deactivatedConcern(["mains-leaks"], { services, isUncertain: true })];
	renderWith(<App />, fakeBackend({ world: { ...world, concerns } }), lastAt(site.id));
	const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
	const silent = "The webhooks of 2 services of gis.example.org might be deactivated";
	expect(await attention.findByText(silent)).toBeVisible();
	const link = () => within(screen.getByRole("navigation")).getByRole("button", { name: "Webhooks" });
	await waitFor(() => expect(link()).toHaveAccessibleDescription(silent));
	expect(within(link()).getByText("1")).toBeInTheDocument();
});

test("a service whose webhooks were activated on the server wants no attention once the site was read", async () => {
	const concerns = [deactivatedConcern(["mains-leaks"])];
	const deactivations = [deactivated()];
	const services = servicesWithActive("mains-leaks");
	const backend = fakeBackend({ world: { ...world, deactivations, services, concerns } });
	let goOn = () => {};
	const read = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	const held = {
		...backend,
		compareDeactivations: async (target: Target) => {
			await read;
			concerns.length = 0;
			return backend.compareDeactivations(target);
		},
	};
	const { queries } = renderWith(<App />, held, lastAt(site.id));
	const link = await within(await screen.findByRole("navigation")).findByRole("button", { name: "Webhooks" });
	await waitFor(() => expect(link).toHaveAccessibleDescription("1 webhook of gis.example.org is deactivated"));
	// Only the comparison is still awaited: nothing else reads the overview again.
	await waitFor(() => expect(queries.isFetching()).toBe(1));
	goOn();
	await waitFor(() => expect(link).not.toHaveAccessibleDescription());
	expect(screen.queryByText(/is deactivated/)).toBeNull();
});
