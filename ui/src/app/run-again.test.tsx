import { screen, waitFor } from "@testing-library/react";
import { type HistoryEntry, type OperationKey, operations, type Parameter, type SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { textParts } from "@/bridge/fake-backend/history";
import { importAddresses, serverForm } from "@/bridge/fake-backend/world";
import { fill, lastAt, press, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

// The list renders only visible rows, and elements have no size in this environment.
beforeEach(() => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(36);
});
afterEach(() => {
	vi.restoreAllMocks();
});

const at = (name: string, value: string): Parameter => ({ name, value });
const inField = (value: string) => async () => expect(await screen.findByDisplayValue(value)).toBeVisible();

/** Parameters of an earlier request, and a check that the form shows them. A missing operation is a type error. */
const sent: Record<OperationKey, { parameters: Parameter[]; filled: () => Promise<void> }> = {
	export_portal: { parameters: [at("location", "/srv/once")], filled: inField("/srv/once") },
	export_server: { parameters: [at("location", "/srv/once")], filled: inField("/srv/once") },
	import_server: { parameters: [at("location", "/srv/once.agssite")], filled: inField("/srv/once.agssite") },
	import_portal: { parameters: [at("location", "/srv/once.portalsite")], filled: inField("/srv/once.portalsite") },
	deactivate_webhooks: {
		parameters: [at("service", "Water/Mains.FeatureServer"), at("why", "Receiver moves")],
		filled: () =>
			waitFor(() => expect(screen.getByRole("checkbox", { name: "Water/Mains.FeatureServer" })).toBeChecked()),
	},
	find_items: { parameters: [at("parentPath", "/fileShares")], filled: inField("/fileShares") },
	update_participant: {
		parameters: [at("collaborationId", "c1"), at("participantId", "p1"), at("contactFirstname", "Ada")],
		filled: inField("Ada"),
	},
	refresh_invitation: {
		parameters: [at("collaborationId", "c1"), at("invitationId", "i1")],
		filled: inField("i1"),
	},
};

function once(site: SiteView, key: OperationKey): HistoryEntry {
	return {
		id: "once",
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		operation: key,
		username: "gisadmin",
		startedAt: Date.now() - 86_400_000,
		endedAt: Date.now() - 86_300_000,
		parameters: sent[key].parameters,
		outcome: "succeeded",
		summary: null,
		note: "Note of the run",
		upload: null,
		noteParts: textParts("Note of the run"),
		hasReport: false,
		elapsed: 100_000,
		siteVersion: "11.3",
		programVersion: "0.1.0",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: true,
		hasSafetyBackup: false,
		isResolved: false,
		reason: "",
		batch: null,
	};
}

async function filledAgain(key: OperationKey) {
	const { site, world } = signedInSite();
	const history = [once(site, key)];
	const { user } = renderWith(<App />, { world: { preferences: lastAt(site.id), ...world, history } });
	await user.click(await screen.findByRole("button", { name: /^History/ }));
	await user.click(await screen.findByText("Note of the run"));
	await user.click(await screen.findByRole("button", { name: "Reuse parameters" }));
	await sent[key].filled();
	return user;
}

test.each(operations.map(({ key }) => key))("%s is filled in again from the history", async (key) => {
	await filledAgain(key);
});

test("the result is still there after a look into the help", async () => {
	const user = await filledAgain("export_portal");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText(/^Exported City GIS in/)).toBeVisible();
	await user.keyboard("{F1}");
	await user.click(await screen.findByRole("button", { name: "Back" }));
	expect(await screen.findByText(/^Exported City GIS in/)).toBeVisible();
});

/** Repeats a request to one of two servers. The first is the current one, and the form does not change that. */
async function filledAgainAt(server: string) {
	const { site: single, world } = signedInSite();
	const servers = ["gisapp01", "gisapp02"].map((id) => ({ ...serverForm(id, `https://${id}.example.org/server`), id }));
	const ofServers = { server: servers[0]?.address ?? null, servers, importAddresses: importAddresses(servers) };
	const site = { ...single, ...ofServers, currentServer: "gisapp01" };
	const history = [{ ...once(site, "import_server"), server, serverName: server }];
	const backend = fakeBackend({ world: { ...world, sites: [site], history } });
	const busy = { kind: "busy", siteName: site.name, operation: "export_server", act: null, startedAt: 0 } as const;
	backend.chooseServer = () => Promise.reject(busy);
	const { user } = renderWith(<App />, backend, lastAt(site.id));
	await user.click(await screen.findByRole("button", { name: /^History/ }));
	await user.click(await screen.findByText("Note of the run"));
	await press(user, "Reuse parameters");
	return { user, backend };
}

test("what was sent to a server that cannot become the current one is in the form of that server, and goes there", async () => {
	const { user, backend } = await filledAgainAt("gisapp02");
	const sent = vi.spyOn(backend, "importServer");
	await screen.findByRole("heading", { level: 1, name: /Server import.*gisapp02/ });
	expect(await screen.findByDisplayValue("/srv/once.agssite")).toBeVisible();
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await press(user, "Replace gisapp02 of City GIS");
	await waitFor(() => expect(sent).toHaveBeenCalled());
	expect(sent.mock.calls[0]?.[0]).toEqual({ site: "city", server: "gisapp02" });
});

test("what was sent to a server that was removed since is in the form of no other one", async () => {
	await filledAgainAt("gone");
	expect(await screen.findByRole("heading", { level: 1, name: "All sites" })).toBeVisible();
});
