import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Backend, Problem } from "@/bridge";
import { memoryBackend } from "@/bridge/fake-backend";
import { pastOf } from "@/test/past";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { DeactivateWebhooks } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<DeactivateWebhooks site={site} />, { world, ...options });
}

async function firstLoud(): Promise<HTMLElement> {
	const boxes = await screen.findAllByRole("checkbox", { name: /Server$/ });
	const loud = boxes.find((box) => !(box as HTMLInputElement).disabled);
	if (!loud) throw new Error("no service has active webhooks");
	return loud;
}

it("silences the chosen service after naming what falls silent", async () => {
	const { user } = show();
	const box = await firstLoud();
	const path = box.getAttribute("aria-label") ?? "";
	await user.click(box);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const dialog = await screen.findByRole("dialog");
	expect(within(dialog).getByText(path)).toBeVisible();
	const confirm = within(dialog).getByRole("button", { name: "Deactivate webhooks" });
	expect(confirm).toBeDisabled();
	await user.type(within(dialog).getByLabelText("Type “City GIS” to confirm"), "City GIS");
	await user.click(confirm);
	expect(await screen.findByText("The webhooks of 1 service on City GIS are silent")).toBeVisible();
	const silenced = within(await screen.findByRole("region", { name: "Silenced from here" }));
	expect(silenced.getByRole("group", { name: path })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Back to the services" }));
	expect(await screen.findByRole("checkbox", { name: path })).toBeDisabled();
});

it("restores what was silenced from the result as well", async () => {
	const { user } = show();
	await user.click(await firstLoud());
	await silence(user, "1 service");
	const silenced = within(await screen.findByRole("region", { name: "Silenced from here" }));
	await user.click(silenced.getByRole("button", { name: /^Restore/ }));
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^Activate/ }));
	const restored = /^The webhooks of .* are as they were$/;
	expect(await silenced.findByText(restored)).toBeVisible();
	// Silenced once more, they are not.
	await user.click(screen.getByRole("button", { name: "Back to the services" }));
	await user.click(await firstLoud());
	await silence(user, "1 service");
	await screen.findByText("The webhooks of 1 service on City GIS are silent");
	expect(screen.queryByText(restored)).toBeNull();
});

it("sends nothing when the confirmation is cancelled", async () => {
	const { user, backend } = show();
	await user.click(await firstLoud());
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	await user.click(await screen.findByRole("button", { name: "Cancel" }));
	expect(await pastOf(backend)).toEqual([]);
	expect(await firstLoud()).toBeChecked();
});

it("cannot be sent without a service", async () => {
	show();
	expect(await screen.findByRole("button", { name: "Deactivate webhooks of 0 services" })).toBeDisabled();
});

it("says why the list did not come, and asks again", async () => {
	show({ fail: { listServices: { kind: "refused", code: 403, message: "no <b>rights</b>", details: [] } } });
	expect(await screen.findByText("no <b>rights</b>")).toBeVisible();
	expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

async function silence(user: ReturnType<typeof show>["user"], count: string) {
	await user.click(screen.getByRole("button", { name: `Deactivate webhooks of ${count}` }));
	await user.type(await screen.findByLabelText("Type “City GIS” to confirm"), "City GIS");
	await user.click(await screen.findByRole("button", { name: "Deactivate webhooks" }));
}

it("names every request in one place", async () => {
	const { user } = show();
	await firstLoud();
	await user.click(screen.getByRole("button", { name: "Select all shown" }));
	await user.click(screen.getByRole("button", { name: "What will be sent" }));
	expect(
		await screen.findByText(/^POST https:.*\/admin\/services\/Water\/Mains.FeatureServer\/webhooks\/deactivateAll$/),
	).toBeVisible();
	expect(screen.getAllByText(/^POST .*deactivateAll$/)).toHaveLength(5);
});

it("says service by service what came of it, reasons as text and never as markup", async () => {
	const { site, world } = signedInSite();
	const backend = memoryBackend({ world });
	const message = 'no rights <img src=x onerror="alert(1)">';
	const problem: Problem = { kind: "refused", code: 403, message, details: [] };
	const partly: Backend = {
		...backend,
		deactivateWebhooks: async (_site, _run, { services }) => ({
			kind: "done",
			record: "r",
			at: Date.now(),
			took: 400,
			report: {
				services: services.map((service, place) => ({
					service,
					problem: place === 0 ? problem : null,
					notSent: place === 1,
				})),
			},
		}),
	};
	const { user, container } = renderWith(<DeactivateWebhooks site={site} />, partly);
	await firstLoud();
	await user.click(screen.getByRole("button", { name: "Select all shown" }));
	await silence(user, "5 services");
	expect(await screen.findByText("3 of 5 services on City GIS are silent")).toBeVisible();
	expect(screen.getByText("Succeeded with warnings")).toBeVisible();
	expect(screen.getByRole("row", { name: /no rights/ })).toHaveTextContent(message);
	expect(screen.getAllByRole("row", { name: /Not sent: stopped before$/ })).toHaveLength(1);
	expect(container.querySelector("img")).toBeNull();
});

it("keeps what was ticked when the server refuses", async () => {
	const refused: Problem = { kind: "refused", code: 500, message: "The store is locked.", details: [] };
	const { user } = show({ fail: { deactivateWebhooks: refused } });
	await user.click(await firstLoud());
	await silence(user, "1 service");
	expect(await screen.findByText("The store is locked.")).toBeVisible();
	expect(await firstLoud()).toBeChecked();
});

it("keeps the reason that was typed when the server refuses, and begins without one after a success", async () => {
	const { site, world } = signedInSite();
	const backend = memoryBackend({ world });
	const refused: Problem = { kind: "refused", code: 500, message: "The store is locked.", details: [] };
	let locked = true;
	const refusing: Backend = {
		...backend,
		deactivateWebhooks: (...sent) => (locked ? Promise.reject(refused) : backend.deactivateWebhooks(...sent)),
	};
	const { user } = renderWith(<DeactivateWebhooks site={site} />, refusing);
	const box = await firstLoud();
	const path = box.getAttribute("aria-label") ?? "";
	await user.click(box);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	await user.type(await screen.findByLabelText("Why (optional)"), "Receiver moves");
	await user.type(screen.getByLabelText("Type “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks" }));
	await screen.findByText("The store is locked.");
	locked = false;
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByLabelText("Why (optional)")).toHaveValue("Receiver moves");
	await user.type(screen.getByLabelText("Type “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks" }));
	await user.click(await screen.findByRole("button", { name: "Back to the services" }));
	await waitFor(() => expect(screen.getByRole("checkbox", { name: path })).toBeDisabled());
	await user.click(await firstLoud());
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByLabelText("Why (optional)")).toHaveValue("");
});

it("restores exactly what was silenced, from the list of silenced services", async () => {
	const { user, backend } = show();
	const before = await backend.listServices("city");
	await firstLoud();
	await user.click(screen.getByRole("button", { name: "Select all shown" }));
	await silence(user, "5 services");
	await user.click(await screen.findByRole("button", { name: "Back to the services" }));
	const path = "Hosted/Hydrants.FeatureServer";
	const ledger = await screen.findByRole("region", { name: "Silenced from here" });
	expect(within(ledger).getByText("Active before: hydrant-inspections and hydrant-archive")).toBeVisible();
	await user.click(within(ledger).getByRole("button", { name: new RegExp(`^Restore \\d webhooks? of ${path}`) }));
	const dialog = await screen.findByRole("dialog", { name: "Activate 2 webhooks on City GIS again?" });
	expect(within(dialog).getByText("hydrant-archive")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Activate 2 webhooks" }));
	expect(await screen.findByText(`The webhooks of ${path} are as they were`)).toBeVisible();
	expect(screen.getByText("hydrant-archive: active again")).toBeVisible();
	const of = (services: typeof before) => services.find((service) => service.path === path)?.webhooks;
	expect(of(await backend.listServices("city"))).toEqual(of(before));
	expect((await pastOf(backend))[0]).toMatchObject({ operation: "reactivate_webhooks", outcome: "succeeded" });
	expect(await screen.findByRole("checkbox", { name: path })).toBeEnabled();
	expect(screen.getByRole("checkbox", { name: path })).not.toBeChecked();
});

it("says of a result what holds now", async () => {
	const { user } = show();
	await firstLoud();
	await user.click(screen.getByRole("checkbox", { name: "Select every service in Hosted" }));
	await silence(user, "2 services");
	const restored = async (path: string) => {
		await user.click(await screen.findByRole("button", { name: new RegExp(`^Restore \\d webhooks? of ${path}`) }));
		const dialog = await screen.findByRole("dialog");
		await user.click(within(dialog).getByRole("button", { name: /^Activate/ }));
		expect(await screen.findByText(`The webhooks of ${path} are as they were`)).toBeVisible();
	};
	expect(await screen.findByText("The webhooks of 2 services on City GIS are silent")).toBeVisible();
	const ledger = await screen.findByRole("region", { name: "Silenced from here" });
	const paths = within(ledger)
		.getAllByRole("group")
		.map((group) => group.getAttribute("aria-label") ?? "");
	await restored(paths[0] ?? "");
	expect(await screen.findByText("The webhooks of 2 services on City GIS were silenced")).toBeVisible();
	expect(screen.getByText(/^1 of them is silent until/)).toBeVisible();
	expect(screen.getByRole("cell", { name: /^Restored/ }).closest("tr")).toHaveTextContent(paths[0] ?? "");
	for (const path of paths.slice(1)) await restored(path);
	expect(await screen.findByText(/^They were restored \(/)).toBeVisible();
	expect(screen.queryByText("Silent")).toBeNull();
	expect(screen.queryByText(/stay silent/)).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("selects a folder at once, and finds a service by the name of its webhook", async () => {
	const { user } = show();
	await firstLoud();
	const folder = screen.getByRole("checkbox", { name: "Select every service in Hosted" });
	await user.click(folder);
	expect(folder).toBeChecked();
	expect(screen.getByText("2 services selected")).toBeVisible();
	expect(screen.getByText("3 webhooks fall silent.")).toBeVisible();
	await user.click(screen.getByRole("checkbox", { name: "Hosted/Hydrants.FeatureServer" }));
	expect(screen.getByText("1 webhook falls silent.")).toBeVisible();
	expect(folder).toBePartiallyChecked();
	await user.type(screen.getByLabelText("Search services and webhooks"), "mains-leaks");
	expect(screen.getAllByRole("checkbox", { name: /Server$/ })).toHaveLength(1);
	expect(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" })).toBeEnabled();
	await user.type(screen.getByLabelText("Search services and webhooks"), "nothing");
	expect(screen.getByText("No service matches “mains-leaksnothing”.")).toBeVisible();
});

it("lists what has webhooks first, says what is silent already, and all when asked", async () => {
	const { user } = show();
	await firstLoud();
	const cadastre = screen.getByRole("checkbox", { name: "Parcels/Cadastre.FeatureServer" });
	expect(cadastre).toBeDisabled();
	expect(screen.getByText("Silent already")).toBeVisible();
	expect(screen.queryByText("No webhooks")).toBeNull();
	await user.click(screen.getByRole("radio", { name: "All (12)" }));
	expect(screen.getAllByText("No webhooks").length).toBeGreaterThan(3);
	expect(await axeFindings()).toEqual([]);
});

it("says of no service that it has no webhooks where the server does not list them, and lets it be chosen", async () => {
	const { site, world } = signedInSite();
	const path = "Hosted/Hydrants.FeatureServer";
	const services = (await memoryBackend({ world }).listServices(site.id))
		.filter((one) => one.path === path)
		.map((one) => ({ ...one, webhooks: null }));
	const { user } = show({ world: { ...world, services } });
	await user.click(await screen.findByRole("checkbox", { name: path }));
	expect(screen.getByText("Webhooks not returned")).toBeVisible();
	expect(screen.queryByText("No webhooks")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByText("Every webhook of these services falls silent.")).toBeVisible();
});

it("calls no webhook inactive of which the server does not say it, and lets its service be chosen", async () => {
	const { site, world } = signedInSite();
	const path = "Hosted/Hydrants.FeatureServer";
	const services = (await memoryBackend({ world }).listServices(site.id))
		.filter((one) => one.path === path)
		.map((one) => ({ ...one, webhooks: [{ name: "Notify", active: null, receiver: "" }] }));
	const { user } = show({ world: { ...world, services } });
	const box = await screen.findByRole("checkbox", { name: path });
	expect(screen.getByText("Notify (state not reported)")).toBeVisible();
	expect(screen.queryByText("Silent already")).toBeNull();
	await user.click(box);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText(/Which ones are active is not known here/)).toBeVisible();
});

it("says why nothing can be chosen when no service has webhooks", async () => {
	const { site, world } = signedInSite();
	const services = (await memoryBackend({ world }).listServices(site.id)).map((one) => ({ ...one, webhooks: [] }));
	show({ world: { ...world, services } });
	expect(await screen.findByText(/None of the 12 services/)).toBeVisible();
});

it("draws some of many services at first, and selects all of them all the same", async () => {
	const { site, world } = signedInSite();
	const services = Array.from({ length: 400 }, (_, number) => ({
		path: `Many/Service${number}.FeatureServer`,
		folder: "Many",
		name: `Service${number}`,
		type: "FeatureServer",
		webhooks: [{ name: `hook-${number}`, active: true, receiver: "" }],
	}));
	const { user } = renderWith(<DeactivateWebhooks site={site} />, { world: { ...world, services } });
	await firstLoud();
	expect(screen.getAllByRole("checkbox").length).toBeLessThan(200);
	await user.click(screen.getByRole("button", { name: "Select all shown" }));
	expect(screen.getByText("400 services selected")).toBeVisible();
	await user.click(screen.getByRole("button", { name: /^Show more/ }));
	expect(screen.getAllByRole("checkbox").length).toBeGreaterThan(200);
});

/** A world where two services were silenced, and one of them was restored since. */
async function silencedBefore() {
	const { site, world } = signedInSite();
	const backend = memoryBackend({ world });
	const services = ["Hosted/Hydrants.FeatureServer", "Water/Mains.FeatureServer"];
	const form = { services, why: "Receiver moves", confirmation: site.name };
	await backend.deactivateWebhooks(site.id, "first", form);
	const [entry] = (await backend.listDeactivations(site.id)).filter(({ service }) => service === services[0]);
	await backend.reactivateWebhooks(site.id, "second", entry?.id ?? "");
	return { site, backend };
}

it("fills in what was silenced last, and says what of it is silent already", async () => {
	const { site, backend } = await silencedBefore();
	const { user } = renderWith(<DeactivateWebhooks site={site} />, backend);
	await user.click(await screen.findByRole("button", { name: /^Fill in as last sent/ }));
	expect(screen.getByRole("checkbox", { name: "Hosted/Hydrants.FeatureServer" })).toBeChecked();
	expect(screen.getByRole("checkbox", { name: "Water/Mains.FeatureServer" })).not.toBeChecked();
	expect(screen.getByText("1 service that was sent has no active webhook now, and is not ticked.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByLabelText("Why (optional)")).toHaveValue("Receiver moves");
	expect(await axeFindings()).toEqual([]);
});

const noList: Problem = { kind: "refused", code: 500, message: "The list is broken.", details: [] };

it("takes the names of services where the server cannot list them", async () => {
	const { user, backend } = show({ fail: { listServices: noList } });
	expect(await screen.findByText("The list is broken.")).toBeVisible();
	expect(screen.getByRole("button", { name: "Deactivate webhooks of 0 services" })).toBeDisabled();
	await user.type(screen.getByLabelText("Services", { selector: "input" }), "Water/Mains, old.FeatureServer{Enter}");
	await user.paste("Hosted/Hydrants.FeatureServer\nWater/Mains.FeatureServer");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 3 services" }));
	expect(await screen.findByRole("dialog", { name: /^Deactivate every webhook of 3 services/ })).toBeVisible();
	await user.type(screen.getByLabelText("Type “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks" }));
	expect(await screen.findByText("2 of 3 services on City GIS are silent")).toBeVisible();
	expect((await pastOf(backend))[0]?.parameters.map(({ value }) => value)).toEqual([
		"Water/Mains, old.FeatureServer",
		"Hosted/Hydrants.FeatureServer",
		"Water/Mains.FeatureServer",
	]);
});

it("fills in the names as well where the server cannot list them", async () => {
	const { site, backend } = await silencedBefore();
	const failing: Backend = { ...backend, listServices: () => Promise.reject(noList) };
	const { user } = renderWith(<DeactivateWebhooks site={site} />, failing);
	await user.click(await screen.findByRole("button", { name: /^Fill in as last sent/ }));
	expect(screen.getByText("Hosted/Hydrants.FeatureServer")).toBeVisible();
	expect(screen.getByRole("button", { name: "Deactivate webhooks of 2 services" })).toBeEnabled();
});
