import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type Backend, newRun, type Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverOf } from "@/lib/target";
import { servicesWithActive } from "@/test/deactivation";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
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

async function openLog(user: ReturnType<typeof show>["user"]): Promise<HTMLElement> {
	await user.click(await screen.findByRole("button", { name: /^Deactivation log \(/ }));
	return screen.findByRole("region", { name: "Deactivation log" });
}

it("deactivates the chosen service after naming what will be deactivated", async () => {
	const { user } = show();
	const box = await firstLoud();
	const path = box.getAttribute("aria-label") ?? "";
	await user.click(box);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const dialog = await screen.findByRole("dialog");
	expect(within(dialog).getByText(path)).toBeVisible();
	const confirm = within(dialog).getByRole("button", { name: "Deactivate webhooks" });
	expect(confirm).toBeDisabled();
	await fill(user, within(dialog).getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(confirm);
	expect(await screen.findByText("Deactivated the webhooks of 1 service on City GIS")).toBeVisible();
	const silenced = within(await screen.findByRole("region", { name: "Deactivation log" }));
	expect(silenced.getByRole("group", { name: path })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Back to the services" }));
	expect(await screen.findByRole("checkbox", { name: path })).toBeDisabled();
});

it("restores what was silenced from the result as well", async () => {
	const { user } = show();
	await user.click(await firstLoud());
	await deactivate(user, "1 service");
	const silenced = within(await screen.findByRole("region", { name: "Deactivation log" }));
	await user.click(silenced.getByRole("button", { name: /^Reactivate/ }));
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^Reactivate/ }));
	const restored = /^Reactivated the webhooks of /;
	expect(await screen.findByText(restored)).toBeVisible();
	// Another deactivation removes the result of the reactivation.
	await user.click(screen.getByRole("button", { name: "Back to the services" }));
	await user.click(await firstLoud());
	await deactivate(user, "1 service");
	await screen.findByText("Deactivated the webhooks of 1 service on City GIS");
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

it("names one webhook where it is one", async () => {
	const { user } = show();
	await firstLoud();
	await user.click(screen.getByRole("checkbox", { name: "Water/Mains.FeatureServer" }));
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Deactivate 1 webhook on City GIS?" }));
	expect(dialog.getByText(/^The webhook is not triggered, and no payloads are delivered/)).toBeVisible();
	expect(dialog.getByRole("button", { name: "Deactivate webhook" })).toBeVisible();
});

it("cannot be sent without a service", async () => {
	show();
	expect(await screen.findByRole("button", { name: "Deactivate webhooks" })).toBeDisabled();
});

it("begins with the list: when it was read is said below it, and nothing counts no service", async () => {
	show();
	const first = await firstLoud();
	const read = screen.getByText(/^As on City GIS at .* A server lists only failed deliveries/);
	expect(first.compareDocumentPosition(read)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
	expect(screen.queryByText("0 services selected")).toBeNull();
});

it("says why the list did not come, and asks again", async () => {
	show({ fail: { listServices: { kind: "rejected", code: 403, message: "no <b>rights</b>", details: [] } } });
	expect(await screen.findByText("no <b>rights</b>")).toBeVisible();
	expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

async function deactivate(user: ReturnType<typeof show>["user"], count: string) {
	await user.click(screen.getByRole("button", { name: `Deactivate webhooks of ${count}` }));
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(await screen.findByRole("button", { name: "Deactivate webhooks" }));
}

it("names every request in one place", async () => {
	const { user, backend } = show();
	backend.previewRequests = async (_target, { operation, form }) =>
		(operation === "deactivate_webhooks" ? form.services : []).map((path) => ({
			method: "POST",
			url: `https://gis.example.org/server/admin/services/${path}/webhooks/deactivateAll`,
			fields: [],
		}));
	await firstLoud();
	await user.click(screen.getByRole("checkbox", { name: "Select all shown" }));
	await user.click(screen.getByRole("button", { name: "Request preview" }));
	expect(
		await screen.findByText(/^POST https:.*\/services\/Water\/Mains.FeatureServer\/webhooks\/deactivateAll$/),
	).toBeVisible();
	expect(screen.getAllByText(/^POST .*deactivateAll$/)).toHaveLength(5);
});

it("says service by service what came of it, reasons as text and never as markup", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const message = 'no rights <img src=x onerror="alert(1)">';
	const problem: Problem = { kind: "rejected", code: 403, message, details: [] };
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
	await user.click(screen.getByRole("checkbox", { name: "Select all shown" }));
	await deactivate(user, "5 services");
	expect(await screen.findByText("Deactivated the webhooks of 3 of 5 services on City GIS")).toBeVisible();
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.getByRole("row", { name: /no rights/ })).toHaveTextContent(message);
	expect(screen.getAllByRole("row", { name: /Not sent: operation stopped$/ })).toHaveLength(1);
	expect(container.querySelector("img")).toBeNull();
});

it("keeps what was ticked when the server refuses", async () => {
	const refused: Problem = { kind: "rejected", code: 500, message: "The store is locked.", details: [] };
	const { user } = show({ fail: { deactivateWebhooks: refused } });
	await user.click(await firstLoud());
	await deactivate(user, "1 service");
	expect(await screen.findByText("The store is locked.")).toBeVisible();
	expect(await firstLoud()).toBeChecked();
});

it("keeps the reason that was typed when the server refuses, and begins without one after a success", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const refused: Problem = { kind: "rejected", code: 500, message: "The store is locked.", details: [] };
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
	await fill(user, await screen.findByLabelText("Reason or ticket (optional)"), "Receiver moves");
	await fill(user, screen.getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks" }));
	await screen.findByText("The store is locked.");
	locked = false;
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByLabelText("Reason or ticket (optional)")).toHaveValue("Receiver moves");
	await fill(user, screen.getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks" }));
	await user.click(await screen.findByRole("button", { name: "Back to the services" }));
	await waitFor(() => expect(screen.getByRole("checkbox", { name: path })).toBeDisabled());
	await user.click(await firstLoud());
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByLabelText("Reason or ticket (optional)")).toHaveValue("");
});

it("restores exactly what was silenced, from the list of silenced services", async () => {
	const { user, backend } = show();
	const before = await backend.listServices(cityServer);
	await firstLoud();
	await user.click(screen.getByRole("checkbox", { name: "Select all shown" }));
	await deactivate(user, "5 services");
	await user.click(await screen.findByRole("button", { name: "Back to the services" }));
	const path = "Hosted/Hydrants.FeatureServer";
	const log = await openLog(user);
	expect(within(log).getByText("Active before: hydrant-inspections · hydrant-archive")).toBeVisible();
	await user.click(within(log).getByRole("button", { name: new RegExp(`^Reactivate \\d webhooks? of ${path}`) }));
	const dialog = await screen.findByRole("dialog", { name: "Reactivate 2 webhooks on City GIS?" });
	expect(within(dialog).getByText("hydrant-archive")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Reactivate 2 webhooks" }));
	expect(await screen.findByText(`Reactivated the webhooks of ${path}`)).toBeVisible();
	expect(screen.getByText("hydrant-archive: active again")).toBeVisible();
	const of = (services: typeof before) => services.find((service) => service.path === path)?.webhooks;
	expect(of(await backend.listServices(cityServer))).toEqual(of(before));
	expect((await pastOf(backend))[0]).toMatchObject({ operation: "reactivate_webhooks", outcome: "succeeded" });
	// The page reads the services again.
	await waitFor(() => expect(screen.getByRole("checkbox", { name: path })).toBeEnabled());
	expect(screen.getByRole("checkbox", { name: path })).not.toBeChecked();
});

it("says of a result what holds now", async () => {
	const { user } = show();
	await firstLoud();
	await user.click(screen.getByRole("checkbox", { name: "Hosted/Hydrants.FeatureServer" }));
	await user.click(screen.getByRole("checkbox", { name: "Hosted/Streetlights.FeatureServer" }));
	await deactivate(user, "2 services");
	const restored = async (path: string) => {
		await user.click(await screen.findByRole("button", { name: new RegExp(`^Reactivate \\d webhooks? of ${path}`) }));
		const dialog = await screen.findByRole("dialog");
		await user.click(within(dialog).getByRole("button", { name: /^Reactivate/ }));
		expect(await screen.findByText(`Reactivated the webhooks of ${path}`)).toBeVisible();
	};
	expect(await screen.findByText("Deactivated the webhooks of 2 services on City GIS")).toBeVisible();
	const log = await screen.findByRole("region", { name: "Deactivation log" });
	const paths = within(log)
		.getAllByRole("group")
		.map((group) => group.getAttribute("aria-label") ?? "");
	await restored(paths[0] ?? "");
	expect(await screen.findByText("The webhooks of 2 services on City GIS were deactivated")).toBeVisible();
	expect(screen.getByText(/^1 of them stays deactivated until/)).toBeVisible();
	expect(screen.getByRole("cell", { name: /^Reactivated/ }).closest("tr")).toHaveTextContent(paths[0] ?? "");
	for (const path of paths.slice(1)) await restored(path);
	expect(await screen.findByText(/^They were reactivated \(/)).toBeVisible();
	expect(screen.queryByText("Deactivated")).toBeNull();
	expect(screen.queryByText(/stay deactivated/)).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("reactivates all webhooks from the result of a deactivation at once", async () => {
	const { user, backend } = show();
	await firstLoud();
	await user.click(screen.getByRole("checkbox", { name: "Select all shown" }));
	await deactivate(user, "5 services");
	await screen.findByText("Deactivated the webhooks of 5 services on City GIS");
	// The button, the question, and the result state the same number of webhooks.
	await user.click(await screen.findByRole("button", { name: "Reactivate 7 webhooks" }));
	const dialog = await screen.findByRole("dialog", { name: "Reactivate 7 webhooks on City GIS?" });
	expect(within(dialog).getByText("hydrant-inspections and hydrant-archive")).toBeVisible();
	await user.click(within(dialog).getByRole("button", { name: "Reactivate 7 webhooks" }));
	expect(await screen.findByText("Reactivated 7 webhooks on City GIS")).toBeVisible();
	expect((await backend.listDeactivations("city")).filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
});

it("selects all that a search shows, and finds a service by the name or the receiver of its webhook", async () => {
	const { user } = show();
	await firstLoud();
	const search = screen.getByLabelText("Search services, webhooks, and receivers");
	await fill(user, search, "Hosted/");
	const all = screen.getByRole("checkbox", { name: "Select all shown" });
	await user.click(all);
	expect(all).toBeChecked();
	expect(screen.getByText("2 services selected")).toBeVisible();
	expect(screen.getByText("3 webhooks will be deactivated.")).toBeVisible();
	await user.click(screen.getByRole("checkbox", { name: "Hosted/Hydrants.FeatureServer" }));
	expect(screen.getByText("1 webhook will be deactivated.")).toBeVisible();
	expect(all).toBePartiallyChecked();
	await fill(user, search, "mains-leaks");
	expect(screen.getAllByRole("checkbox", { name: /Server$/ })).toHaveLength(1);
	expect(screen.getByText("mains-leaks")).toBeVisible();
	expect(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" })).toBeEnabled();
	await fill(user, search, "hooks.example");
	expect(screen.getAllByRole("checkbox", { name: /Server$/ }).length).toBeGreaterThan(3);
	await fill(user, search, "nothing");
	expect(screen.getByText("No service matches “nothing”.")).toBeVisible();
});

it("shows the failed deliveries of a service and of each webhook, and calls none a success", async () => {
	const { user } = show();
	await firstLoud();
	const rowOf = (path: string) => screen.getByRole("checkbox", { name: path }).closest("tr") as HTMLTableRowElement;
	await waitFor(() => expect(rowOf("Hosted/Streetlights.FeatureServer")).toHaveTextContent(/3 failed.+ to /));
	expect(rowOf("Hosted/Hydrants.FeatureServer")).toHaveTextContent("No failure listed");
	expect(rowOf("Parcels/Cadastre.FeatureServer")).toHaveTextContent("Not known: inactive");
	expect(screen.getByText(/A server lists only failed deliveries/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "1 active webhook: Hosted/Streetlights.FeatureServer" }));
	const rows = screen.getByRole("rowgroup", { name: "Webhooks of Hosted/Streetlights.FeatureServer" });
	expect(rows).toHaveTextContent(/3 failed.+ to /);
});

it("does not know the deliveries of a server that lists none, or cannot be asked", async () => {
	const unreadable = { kind: "unexpected" as const, message: "gone" };
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	backend.listFailedDeliveries = async (_target, webhooks) =>
		webhooks.map((one) => ({ ...one, failures: null, first: null, last: null }));
	const { unmount } = renderWith(<DeactivateWebhooks site={site} />, backend);
	expect((await screen.findAllByText("Not reported")).length).toBeGreaterThan(3);
	unmount();
	show({ fail: { listFailedDeliveries: unreadable } });
	expect((await screen.findAllByText("Not read")).length).toBeGreaterThan(3);
	expect(screen.queryByText("No failure listed")).toBeNull();
});

it("has what was deactivated here in the line of its service, which reactivates it", async () => {
	const { site, backend } = await deactivatedBefore();
	const { user } = renderWith(<DeactivateWebhooks site={site} />, backend);
	await firstLoud();
	await user.click(screen.getByRole("radio", { name: "Deactivated here (1)" }));
	const row = screen.getByRole("row", { name: /Water/ });
	expect(row).toHaveTextContent("1 deactivated here");
	expect(row).toHaveTextContent(/Today .+gisadmin.+“Receiver moves”/);
	expect(screen.queryByRole("region", { name: "Deactivation log" })).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(within(row).getByRole("button", { name: "Reactivate 1 webhook of Water/Mains.FeatureServer" }));
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^Reactivate/ }));
	expect(await screen.findByText("Reactivated the webhooks of Water/Mains.FeatureServer")).toBeVisible();
	expect(await screen.findByText("Nothing is deactivated here.")).toBeVisible();
});

it("lists what has webhooks first, says what is silent already, and all when asked", async () => {
	const { user } = show();
	await firstLoud();
	const cadastre = screen.getByRole("checkbox", { name: "Parcels/Cadastre.FeatureServer" });
	expect(cadastre).toBeDisabled();
	expect(cadastre.closest("tr")).toHaveTextContent("1 inactive");
	expect(screen.queryByText("No webhooks")).toBeNull();
	await user.click(screen.getByRole("radio", { name: "All (12)" }));
	expect(screen.getAllByText("No webhooks").length).toBeGreaterThan(3);
	expect(await axeFindings()).toEqual([]);
});

it("says of no service that it has no webhooks where the server does not list them, and lets it be chosen", async () => {
	const { site, world } = signedInSite();
	const path = "Hosted/Hydrants.FeatureServer";
	const services = (await fakeBackend({ world }).listServices(serverOf(site)))
		.filter((one) => one.path === path)
		.map((one) => ({ ...one, webhooks: null }));
	const { user } = show({ world: { ...world, services } });
	await user.click(await screen.findByRole("checkbox", { name: path }));
	expect(screen.getByText("Webhooks not reported")).toBeVisible();
	expect(screen.queryByText("No webhooks")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByText("All webhooks of these services will be deactivated.")).toBeVisible();
});

it("calls no webhook inactive of which the server does not say it, and lets its service be chosen", async () => {
	const { site, world } = signedInSite();
	const path = "Hosted/Hydrants.FeatureServer";
	const services = (await fakeBackend({ world }).listServices(serverOf(site)))
		.filter((one) => one.path === path)
		.map((one) => ({ ...one, webhooks: [{ id: "w", name: "Notify", active: null, receiver: "" }] }));
	const { user } = show({ world: { ...world, services } });
	const box = await screen.findByRole("checkbox", { name: path });
	expect(screen.getByText("1 not reported")).toBeVisible();
	expect(screen.queryByText(/inactive/)).toBeNull();
	await user.click(box);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText(/cannot determine which webhooks are active/)).toBeVisible();
});

it("names a folder that the server did not list, and lists the others", async () => {
	const { site, world } = signedInSite();
	const gap = { kind: "notListed" as const, reason: "the site rejected the request (404): Folder not found." };
	const folder = { path: "", folder: "Harbor", name: "", type: "", webhooks: null, gap };
	const services = [...(await fakeBackend({ world }).listServices(serverOf(site))), folder];
	show({ world: { ...world, services } });
	await firstLoud();
	expect(screen.getByText(/^Harbor was not returned by the site: .*Folder not found\.$/)).toBeVisible();
});

it("says why nothing can be chosen when no service has webhooks", async () => {
	const { site, world } = signedInSite();
	const services = (await fakeBackend({ world }).listServices(serverOf(site))).map((one) => ({ ...one, webhooks: [] }));
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
		webhooks: [{ id: `w${number}`, name: `hook-${number}`, active: true, receiver: "" }],
		gap: null,
	}));
	const { user } = renderWith(<DeactivateWebhooks site={site} />, { world: { ...world, services } });
	await firstLoud();
	expect(screen.getAllByRole("checkbox").length).toBeLessThan(200);
	await user.click(screen.getByRole("checkbox", { name: "Select all shown" }));
	expect(screen.getByText("400 services selected")).toBeVisible();
	await user.click(screen.getByRole("button", { name: /^Show more/ }));
	expect(screen.getAllByRole("checkbox").length).toBeGreaterThan(200);
});

/** Opens the page after two services were deactivated, one of which is reactivated. */
async function deactivatedBefore() {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const services = ["Hosted/Hydrants.FeatureServer", "Water/Mains.FeatureServer"];
	const form = { services, why: "Receiver moves", confirmation: site.name };
	await backend.deactivateWebhooks(serverOf(site), newRun("first"), form);
	const [entry] = (await backend.listDeactivations(site.id)).filter(({ service }) => service === services[0]);
	await backend.reactivateWebhooks(serverOf(site), newRun("second"), entry?.id ?? "");
	return { site, backend };
}

it("fills in what was silenced last, and says what of it is silent already", async () => {
	const { site, backend } = await deactivatedBefore();
	const { user } = renderWith(<DeactivateWebhooks site={site} />, backend);
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByRole("checkbox", { name: "Hosted/Hydrants.FeatureServer" })).toBeChecked();
	expect(screen.getByRole("checkbox", { name: "Water/Mains.FeatureServer" })).not.toBeChecked();
	expect(
		screen.getByText("1 service of the earlier request is not selected: it has no active webhooks."),
	).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(await screen.findByLabelText("Reason or ticket (optional)")).toHaveValue("Receiver moves");
	expect(await axeFindings()).toEqual([]);
});

const noList: Problem = { kind: "rejected", code: 500, message: "The list is broken.", details: [] };

it("takes the names of services where the server cannot list them", async () => {
	const { user, backend } = show({ fail: { listServices: noList } });
	expect(await screen.findByText("The list is broken.")).toBeVisible();
	expect(screen.getByRole("button", { name: "Deactivate webhooks" })).toBeDisabled();
	await user.type(screen.getByLabelText("Services", { selector: "input" }), "Water/Mains, old.FeatureServer{Enter}");
	await user.paste("Hosted/Hydrants.FeatureServer\nWater/Mains.FeatureServer");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 3 services" }));
	expect(await screen.findByRole("dialog", { name: /^Deactivate all webhooks of 3 services/ })).toBeVisible();
	await fill(user, screen.getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks" }));
	expect(await screen.findByText("Deactivated the webhooks of 2 of 3 services on City GIS")).toBeVisible();
	expect((await pastOf(backend))[0]?.parameters.map(({ value }) => value)).toEqual([
		"Water/Mains, old.FeatureServer",
		"Hosted/Hydrants.FeatureServer",
		"Water/Mains.FeatureServer",
	]);
});

it("fills in the names as well where the server cannot list them", async () => {
	const { site, backend } = await deactivatedBefore();
	const failing: Backend = { ...backend, listServices: () => Promise.reject(noList) };
	const { user } = renderWith(<DeactivateWebhooks site={site} />, failing);
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByText("Hosted/Hydrants.FeatureServer")).toBeVisible();
	expect(screen.getByRole("button", { name: "Deactivate webhooks of 2 services" })).toBeEnabled();
});

const hydrants = "Hosted/Hydrants.FeatureServer";

it("deactivates one webhook of a service and leaves the others as they are", async () => {
	const { user, backend } = show();
	await user.click(await screen.findByRole("button", { name: `2 active webhooks: ${hydrants}` }));
	const rows = within(await screen.findByRole("rowgroup", { name: `Webhooks of ${hydrants}` }));
	expect(await axeFindings()).toEqual([]);
	await user.click(rows.getByRole("switch", { name: "hydrant-archive" }));
	const dialog = await screen.findByRole("dialog", { name: `Deactivate hydrant-archive of ${hydrants} on City GIS?` });
	expect(await axeFindings()).toEqual([]);
	await fill(user, within(dialog).getByLabelText("Reason or ticket (optional)"), "Receiver moves");
	const confirm = within(dialog).getByRole("button", { name: "Deactivate webhook" });
	expect(confirm).toBeDisabled();
	await fill(user, within(dialog).getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(confirm);
	expect(await screen.findByText(`Deactivated hydrant-archive of ${hydrants} on City GIS`)).toBeVisible();
	await openLog(user);
	const entry = await screen.findByRole("group", { name: hydrants });
	expect(entry).toHaveTextContent("Active before: hydrant-archive");
	expect(entry).toHaveTextContent("Reason: Receiver moves");
	const service = (await backend.listServices(cityServer)).find(({ path }) => path === hydrants);
	expect(service?.webhooks?.map(({ name, active }) => [name, active])).toEqual([
		["hydrant-inspections", true],
		["hydrant-archive", false],
	]);
	await waitFor(() => expect(rows.getByRole("switch", { name: "hydrant-archive" })).not.toBeChecked());
	expect(rows.getByRole("switch", { name: "hydrant-archive" })).toBeEnabled();
	expect(rows.getByRole("switch", { name: "hydrant-inspections" })).toBeChecked();
	expect(await axeFindings()).toEqual([]);
	await user.click(within(entry).getByRole("button", { name: /^Reactivate/ }));
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^Reactivate/ }));
	expect(await screen.findByText(`Reactivated the webhooks of ${hydrants}`)).toBeVisible();
	expect(screen.queryByText(/^Deactivated hydrant-archive/)).toBeNull();
});

async function deactivateOne(user: ReturnType<typeof show>["user"]) {
	await user.click(await screen.findByRole("button", { name: `2 active webhooks: ${hydrants}` }));
	await user.click(await screen.findByRole("switch", { name: "hydrant-inspections" }));
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Deactivate webhook" }));
}

it("reactivates one webhook of a service by its switch, and closes the entry with the last one", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const form = { services: [hydrants], why: "", confirmation: site.name };
	await backend.deactivateWebhooks(serverOf(site), newRun("first"), form);
	const { user } = renderWith(<DeactivateWebhooks site={site} />, backend);
	await user.click(await screen.findByRole("button", { name: `Already deactivated: ${hydrants}` }));
	const byName = (name: string) => screen.findByRole("switch", { name });
	const turnOn = async (name: string) => {
		await user.click(await byName(name));
		const dialog = await screen.findByRole("dialog", { name: "Reactivate 1 webhook on City GIS?" });
		expect(
			within(dialog)
				.getAllByRole("listitem")
				.map((one) => one.textContent),
		).toEqual([name]);
		await user.click(within(dialog).getByRole("button", { name: "Reactivate 1 webhook" }));
		await waitFor(async () => expect(await byName(name)).toBeChecked());
	};
	await openLog(user);
	await turnOn("hydrant-archive");
	expect(await byName("hydrant-inspections")).not.toBeChecked();
	expect(await screen.findByRole("group", { name: hydrants })).toBeVisible();
	await turnOn("hydrant-inspections");
	await waitFor(() => expect(screen.queryByRole("group", { name: hydrants })).toBeNull());
	expect((await backend.listDeactivations(site.id)).map(({ resolvedAt }) => resolvedAt)).not.toContain(null);
});

it("tells the switches of two webhooks of one name apart", async () => {
	const { site, world } = signedInSite();
	const hook = (id: string) => ({ id, name: "alarm", active: true, receiver: "https://hooks.example.org/a" });
	const services = (await fakeBackend({ world }).listServices(serverOf(site))).map((one) =>
		one.path === hydrants ? { ...one, webhooks: [hook("w1"), hook("w2")] } : one,
	);
	const { user } = show({ world: { ...world, services } });
	await user.click(await screen.findByRole("button", { name: `2 active webhooks: ${hydrants}` }));
	const rows = within(await screen.findByRole("rowgroup", { name: `Webhooks of ${hydrants}` }));
	expect(rows.getByRole("switch", { name: "alarm, ID w1" })).toBeVisible();
	expect(rows.getByRole("switch", { name: "alarm, ID w2" })).toBeVisible();
});

it("does not switch on a webhook that was not deactivated here", async () => {
	const { user } = show({ world: { ...signedInSite().world, services: servicesWithActive() } });
	await user.click(await screen.findByRole("button", { name: `Already deactivated: ${hydrants}` }));
	const one = await screen.findByRole("switch", { name: "hydrant-archive" });
	expect(one).toBeDisabled();
	expect(one).toHaveAccessibleDescription("It was not deactivated here. Activate it on the server.");
});

it("says why one webhook was not deactivated, also to whoever comes back, until it is hidden", async () => {
	const why = { kind: "webhookNotActive" } as const;
	const { site, world } = signedInSite();
	const fail = { deactivateWebhook: { kind: "preconditionFailed", why } } as const;
	const { user } = renderWith(
		<Leaving>
			<DeactivateWebhooks site={site} />
		</Leaving>,
		{ world, fail },
	);
	await deactivateOne(user);
	expect(await screen.findByText("This webhook is not active")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByText("This webhook is not active")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Hide the result" }));
	expect(screen.queryByText("This webhook is not active")).toBeNull();
});

it("does not say that one webhook is deactivated whose response was lost", async () => {
	const { site, world } = signedInSite();
	const backend: Backend = {
		...fakeBackend({ world }),
		deactivateWebhook: async () => ({ kind: "unknown", record: "r", stopped: true, problem: null, canUndo: false }),
	};
	const { user } = renderWith(<DeactivateWebhooks site={site} />, backend);
	await deactivateOne(user);
	const title = `The outcome is unknown. hydrant-inspections of ${hydrants} might be deactivated`;
	expect(await screen.findByText(title)).toBeVisible();
});

it("shows a service that cannot be read, which cannot be selected, and the others", async () => {
	const { site, world } = signedInSite();
	const path = "Hosted/Hydrants.FeatureServer";
	const [readable] = (await fakeBackend({ world }).listServices(serverOf(site))).filter((one) => one.path === path);
	if (!readable) throw new Error("no service");
	const unreadable = { ...readable, path: "", name: "", webhooks: null };
	const { user } = show({ world: { ...world, services: [unreadable, unreadable, readable] } });
	await user.click(await screen.findByRole("checkbox", { name: "Select all shown" }));
	const boxes = screen.getAllByRole("checkbox", { name: /cannot be read/ });
	expect(boxes).toHaveLength(2);
	for (const box of boxes) expect(box).toBeDisabled();
	expect(screen.getByRole("checkbox", { name: path })).toBeChecked();
	expect(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

it("names what is active when it asks, not what was when the list was read", async () => {
	const { user, backend } = show();
	const box = await firstLoud();
	const path = box.getAttribute("aria-label") ?? "";
	await user.click(box);
	const [target] = [serverOf(signedInSite().site)];
	const services = await backend.listServices(target);
	const fresh = { id: "9", name: "Added meanwhile", receiver: "https://hooks.example.org/", active: true };
	vi.spyOn(backend, "listServices").mockResolvedValue(
		services.map((one) => (one.path === path ? { ...one, webhooks: [...(one.webhooks ?? []), fresh] } : one)),
	);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect(within(await screen.findByRole("dialog")).getByText(/Added meanwhile/)).toBeVisible();
});

it("asks nothing while what is active cannot be read, and keeps the list with the reason", async () => {
	const { user, backend } = show();
	const box = await firstLoud();
	await user.click(box);
	vi.spyOn(backend, "listServices").mockRejectedValue({ kind: "unexpected", message: "gone" });
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	expect((await screen.findAllByRole("alert")).length).toBeGreaterThan(0);
	expect(screen.queryByRole("dialog")).toBeNull();
	expect(await firstLoud()).toBeChecked();
});

it("says that a selected service is gone, when it was read again before the question, and asks nothing", async () => {
	const { user, backend } = show();
	const box = await firstLoud();
	await user.click(box);
	const { listServices } = backend;
	const gone = (await listServices(cityServer)).find(({ webhooks }) => webhooks?.some(({ active }) => active))?.path;
	backend.listServices = async (target) => (await listServices(target)).filter(({ path }) => path !== gone);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const notice = await screen.findByRole("alert", { name: "1 selected service is no longer there" });
	expect(notice).toHaveTextContent("Nothing was sent.");
	expect(screen.queryByRole("dialog")).toBeNull();

	// The page does not ask again when the service returns.
	backend.listServices = listServices;
	await user.click(screen.getByRole("button", { name: /^Reload/ }));
	expect(await firstLoud()).toBeChecked();
	expect(screen.queryByRole("dialog")).toBeNull();
});
