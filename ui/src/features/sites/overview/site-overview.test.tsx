import { screen, waitFor, within } from "@testing-library/react";
import type { Problem, SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { useSites } from "@/lib/queries";
import { operationUis } from "@/operations";
import { deactivated } from "@/test/deactivation";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { SiteOverview } from "./site-overview";

const day = 86_400_000;
const fresh = { portalExport: Date.now() - day, serverExport: Date.now() - day };

function Shown() {
	const site = useSites().data?.[0];
	return site ? <SiteOverview site={site} session={signedInSite().session} operationUis={operationUis} /> : null;
}

function overview(more: Partial<SiteView> = {}, options: MemoryOptions = {}) {
	const { site, world } = signedInSite();
	const sites = [{ ...site, ...fresh, ...more }];
	const backend = fakeBackend({ ...options, world: { ...world, ...options.world, sites } });
	const view = renderWith(
		<WithPlace>
			<Shown />
		</WithPlace>,
		backend,
	);
	return { ...view, links: backend.happen.links };
}

test("a site where all is well says what it is and asks for nothing", async () => {
	overview();
	expect(await screen.findByText("gisadmin (administrator)")).toBeVisible();
	expect(screen.getAllByText("Version 11.3")).toHaveLength(2);
	expect(screen.getByText("Portal deployment")).toBeVisible();
	expect(screen.getByText(/^Token expires in 59 min$/)).toBeVisible();
	expect(screen.queryByRole("region", { name: "Needs attention" })).toBeNull();
	expect(screen.queryByLabelText("Current server")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("what wants attention is named, each with the way to its next act", async () => {
	const deactivation = deactivated({ deactivatedAt: 0, active: [] });
	const unknown = {
		id: "h",
		site: "city",
		server: null,
		serverName: null,
		siteName: "City GIS",
		operation: "export_server" as const,
		username: "gisadmin",
		startedAt: 0,
		endedAt: null,
		parameters: [],
		outcome: "unknown" as const,
		summary: null,
		note: "",
		noteParts: [],
		upload: null,
		hasReport: false,
		elapsed: null,
		siteVersion: "",
		programVersion: "",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: true,
		hasSafetyBackup: false,
		isResolved: false,
	};
	const { user } = overview(
		{ serverExport: Date.now() - 12 * day, portalExport: null },
		{ world: { deactivations: [deactivation, { ...deactivation, id: "t", resolvedAt: 1 }], history: [unknown] } },
	);
	const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
	expect(await attention.findByText("The webhooks of 1 service are deactivated.")).toBeVisible();
	expect(await attention.findByText("The outcome of 1 operation on this site is unknown.")).toBeVisible();
	expect(attention.getByText("The portal was not exported with this app.")).toBeVisible();
	expect(attention.getByText("The server was exported 12 days ago, and no export of it was verified.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(attention.getByRole("button", { name: "Export server" }));
	expect(screen.getByTestId("place")).toHaveTextContent("operation city export_server");
});

const second = {
	id: "second",
	name: "imagery",
	address: "https://imagery.example.org/image",
	servicesUrl: "",
	adminUrl: "",
	serverType: { kind: "gis" as const },
	role: "",
};

test("another server of the site is chosen", async () => {
	const servers = [...signedInSite().site.servers, second];
	const { user, backend } = overview({ servers });
	await user.click(await screen.findByRole("combobox", { name: "Current server" }));
	await user.click(await screen.findByRole("option", { name: "imagery" }));
	expect(await screen.findByText("https://imagery.example.org/image")).toBeVisible();
	expect((await backend.listSites())[0]?.currentServer).toBe("second");
});

test("a server is not changed while something runs, and what runs is said", async () => {
	const servers = [...signedInSite().site.servers, second];
	const fail = {
		chooseServer: { kind: "busy", siteName: "City GIS", operation: "export_server", act: null, startedAt: Date.now() },
	} as const;
	const { user } = overview({ servers }, { fail });
	await user.click(await screen.findByRole("combobox", { name: "Current server" }));
	await user.click(await screen.findByRole("option", { name: "imagery" }));
	expect(await screen.findByText(/Server export has been running on .* since/)).toBeVisible();
	expect(screen.getAllByText("https://gis.example.org/server")[0]).toBeVisible();
});

test.each([
	["portal", {}, "https://gis.example.org/portal"],
	["server manager", { portal: null }, "https://gis.example.org/server/manager"],
] as const)("the %s is opened in the system's browser", async (page, more, address) => {
	const { user, links } = overview(more);
	await user.click(await screen.findByRole("button", { name: `Open ${page} in browser` }));
	await waitFor(() => expect(links).toEqual([address]));
});

test("a browser that does not open leaves the address to the person", async () => {
	const { user } = overview({}, { fail: { openLink: { kind: "noDialog", message: "no browser" } } });
	await user.click(await screen.findByRole("button", { name: "Open portal in browser" }));
	const notice = within(await screen.findByRole("alert", { name: "Could not open the browser" }));
	expect(notice.getByText(/gis\.example\.org/)).toBeVisible();
	expect(notice.getByRole("button", { name: /Copy/ })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a page that is refused is said with the reason", async () => {
	const message = "elsewhere <b>is not part</b> of this site";
	const { user } = overview({}, { fail: { openLink: { kind: "unexpected", message } } });
	await user.click(await screen.findByRole("button", { name: "Open portal in browser" }));
	const refusal = within(await screen.findByRole("alert", { name: /encountered an error/ }));
	await user.click(refusal.getByRole("button", { name: "Details" }));
	expect(await refusal.findByText(/elsewhere <b>is not part<\/b> of this site/)).toBeVisible();
});

test("practice has no page for a browser", async () => {
	overview({ environment: "practice" });
	expect(await screen.findByText("gisadmin (administrator)")).toBeVisible();
	expect(screen.queryByRole("button", { name: /in browser$/ })).toBeNull();
});

test("the services are checked on request, and what does not run is named", async () => {
	const notRunning = [{ service: "Parcels/Zoning.MapServer", state: "STOPPED" }];
	const serviceCheck = { checkedAt: Date.now(), services: 33, shouldRun: 32, running: 31, notRunning };
	const { user } = overview({}, { world: { serviceCheck } });
	await user.click(await screen.findByRole("button", { name: "Check services now" }));
	expect(await screen.findByText("31 of 32 services are running")).toBeVisible();
	expect(screen.getByText("Parcels/Zoning.MapServer is not running (state: STOPPED).")).toBeVisible();
	expect(screen.getByText("1 other service is not configured to start.")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Find required data store items: Parcels/Zoning.MapServer" }));
	expect(
		await screen.findByRole("button", { name: "Show /enterpriseDatabases/parcels in the data store items" }),
	).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a site that does not list its services says why they are not checked", async () => {
	const problem: Problem = { kind: "rejected", code: 403, message: "No rights.", details: [] };
	const { user } = overview({}, { fail: { checkServices: problem } });
	await user.click(await screen.findByRole("button", { name: "Check services now" }));
	expect(await screen.findByText("No rights.")).toBeVisible();
});
