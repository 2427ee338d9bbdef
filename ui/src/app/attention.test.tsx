import { screen, waitFor, within } from "@testing-library/react";
import type { Target } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { deactivated, servicesWithActive } from "@/test/deactivation";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site, world } = signedInSite();
const day = 86_400_000;

test("the marks beside the operations say what the overview says, and count the same", async () => {
	const old = { ...site, portalExport: Date.now() - day, serverExport: Date.now() - 12 * day };
	const later = Date.now() + day;
	const other = { service: "Parks/Trees.FeatureServer" };
	const deactivations = [
		deactivated(),
		deactivated({ ...other, id: "s2", remindAt: later }),
		deactivated({ id: "s3", resolvedAt: 1 }),
	];
	renderWith(
		<App />,
		fakeBackend({ world: { ...world, sites: [old], deactivations, services: servicesWithActive() } }),
		lastAt(site.id),
	);

	const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
	const silent = "The webhooks of 2 services are deactivated.";
	expect(await attention.findByText(silent)).toBeVisible();
	expect(attention.getByText("The server was exported 12 days ago, and no export of it was verified.")).toBeVisible();
	expect(attention.queryByText(/portal was exported/)).toBeNull();
	const link = (name: string) => within(screen.getByRole("navigation")).getByRole("button", { name });
	await waitFor(() => expect(link("Webhooks")).toHaveAccessibleDescription(silent));
	expect(within(link("Webhooks")).getByText("2")).toBeInTheDocument();
	expect(link("Server export")).toHaveAccessibleDescription(
		"The server was exported 12 days ago, and no export of it was verified.",
	);
	expect(link("Portal export")).not.toHaveAccessibleDescription();
});

test("an export of the server leaves the mark of a portal that was never exported", async () => {
	const backend = fakeBackend({ world });
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	const link = (name: string) => within(screen.getByRole("navigation")).getByRole("button", { name });
	const never = "The portal was not exported with this app.";
	const attention = () => within(screen.getByRole("region", { name: "Needs attention" }));
	await screen.findByRole("region", { name: "Needs attention" });
	await waitFor(() =>
		expect(link("Server export")).toHaveAccessibleDescription(/server was not exported with this app/),
	);

	await user.click(link("Server export"));
	await user.click(await screen.findByRole("button", { name: "Choose a destination and export" }));
	await screen.findByText(/^Exported City GIS/);

	await waitFor(() => expect(link("Server export")).not.toHaveAccessibleDescription());
	expect(link("Portal export")).toHaveAccessibleDescription(never);
	await user.click(link("Overview"));
	await screen.findByRole("region", { name: "Needs attention" });
	expect(attention().getByText(never)).toBeVisible();
	expect(attention().queryByText(/server was not exported/)).toBeNull();
	expect(screen.getByText("Portal: not exported with this app")).toBeVisible();
});

test("services are counted once, and those whose webhooks may be active still are told apart", async () => {
	const deactivations = [
		deactivated(),
		deactivated({ id: "s2" }),
		deactivated({ id: "s3", known: false, active: null }),
		deactivated({ id: "s4", known: false, active: null, service: "Parks/Trees.FeatureServer" }),
	];
	renderWith(
		<App />,
		fakeBackend({ world: { ...world, deactivations, services: servicesWithActive() } }),
		lastAt(site.id),
	);
	const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
	const silent = "The webhooks of 1 service are deactivated. The webhooks of 1 service might be deactivated.";
	expect(await attention.findByText(silent)).toBeVisible();
	const link = () => within(screen.getByRole("navigation")).getByRole("button", { name: "Webhooks" });
	await waitFor(() => expect(link()).toHaveAccessibleDescription(silent));
	expect(within(link()).getByText("2")).toBeInTheDocument();
});

test("a service whose webhooks were activated on the server wants no attention once the site was read", async () => {
	const deactivations = [deactivated()];
	const services = servicesWithActive("mains-leaks");
	const backend = fakeBackend({ world: { ...world, deactivations, services } });
	let goOn = () => {};
	const read = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	const held = {
		...backend,
		compareDeactivations: (target: Target) => read.then(() => backend.compareDeactivations(target)),
	};
	renderWith(<App />, held, lastAt(site.id));
	const link = await within(await screen.findByRole("navigation")).findByRole("button", { name: "Webhooks" });
	await waitFor(() => expect(link).toHaveAccessibleDescription("The webhooks of 1 service are deactivated."));
	goOn();
	await waitFor(() => expect(link).not.toHaveAccessibleDescription());
	expect(screen.queryByText(/The webhooks of 1 service are deactivated/)).toBeNull();
});

test("a reminder that is due is shown, also of webhooks that are active again", async () => {
	const deactivations = [deactivated({ remindAt: Date.now() - 1_000 })];
	const services = servicesWithActive("mains-leaks");
	renderWith(<App />, fakeBackend({ world: { ...world, deactivations, services } }), lastAt(site.id));
	const link = await within(await screen.findByRole("navigation")).findByRole("button", { name: "Webhooks" });
	await waitFor(() => expect(link).toHaveAccessibleDescription("1 reminder is due."));
});
