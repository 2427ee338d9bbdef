import { act, screen, waitFor, within } from "@testing-library/react";
import type { ChangedView, ComponentCheck, Concern, HistoryEntry, SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { useNavigation } from "@/lib/navigation";
import { useSites } from "@/lib/queries/program";
import { speak } from "@/messages/i18n";
import { deactivatedConcern } from "@/test/deactivation";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { SiteOverview } from "./site-overview";

const day = 86_400_000;
const exported = { portal: Date.now() - day, server: Date.now() - day };

/** The overview, or the page that it opened. */
function Placed({ site }: { site: SiteView }) {
	const { place } = useNavigation();
	const services = place.page === "overview" ? place.services : undefined;
	return <SiteOverview site={site} session={signedInSite().session} services={services} />;
}

function Shown() {
	const site = useSites().data?.[0];
	return site ? <Placed site={site} /> : null;
}

function overview(more: Partial<SiteView> = {}, options: MemoryOptions = {}) {
	const { site, world } = signedInSite();
	const sites = [{ ...site, ...more }];
	const backend = fakeBackend({ ...options, world: { ...world, exported, ...options.world, sites } });
	const view = renderWith(
		<WithPlace>
			<Shown />
		</WithPlace>,
		backend,
	);
	return { ...view, links: backend.happen.links };
}

const attention = async () => within(await screen.findByRole("region", { name: "Needs attention" }));
const board = () => within(screen.getByRole("table", { name: "Portal and servers" }));
const cells = (row: HTMLElement) =>
	within(row)
		.getAllByRole("cell")
		.map(({ textContent }) => textContent);

function entry(more: Partial<HistoryEntry> = {}): HistoryEntry {
	return {
		id: "h",
		site: "city",
		server: "server",
		serverName: null,
		siteName: "City GIS",
		operation: "import_server",
		username: "gisops",
		startedAt: Date.now(),
		endedAt: null,
		parameters: [],
		outcome: "failed",
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
		reason: "",
		batch: null,
		...more,
	};
}

const ofRecord = (entry: HistoryEntry): Concern => ({
	tone: entry.outcome === "unknown" ? "unknown" : "failed",
	server: entry.server,
	at: entry.startedAt,
	about: { kind: "record", entry, others: 0 },
});

test("nothing is called well above a check of the whole site that found something wrong", async () => {
	const about = { kind: "wholeSite", lines: ["orphans"] } as const;
	const { site, world } = signedInSite();
	const concerns: Concern[] = [
		{ tone: "failed", server: null, at: Date.now(), about: { ...about, lines: [...about.lines] } },
	];
	overview(site, { world: { ...world, concerns } });
	expect(await screen.findByRole("table", { name: "Portal and servers" })).toBeVisible();
	expect(screen.queryByText("Nothing needs attention.")).toBeNull();
	expect(screen.queryByRole("region", { name: "Needs attention" })).toBeNull();
});

test("what was not checked is not known, and not called well", async () => {
	overview({}, { world: { exported: { portal: null, server: null } } });
	expect(await (await attention()).findByText(/Not everything could be checked yet/)).toBeVisible();
	const [, portal, server] = board().getAllByRole("row");
	expect(cells(portal as HTMLElement)).toEqual([
		"Portalgis.example.org/portal\u00a0· version not known",
		"–A portal has no services.",
		"Not checkedstays on the portal",
		"Not knownNo two snapshots",
		expect.stringMatching(/^gisadminuntil/),
	]);
	expect(cells(server as HTMLElement).slice(1)).toEqual([
		"Not knownnot checked",
		"Neveras recorded here",
		"Not knownNo two snapshots",
		"Not knownnot checked",
	]);
	expect(screen.getByText("Not checked yet")).toBeVisible();
	expect(screen.queryByLabelText("Current server")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("what changed since it was accepted is counted for each server, and a gap is never called well", async () => {
	const changed: ChangedView[] = [
		{ server: null, changes: 0, notByApp: 0, notCompared: ["collaborations"] },
		{ server: "server", changes: 3, notByApp: 1, notCompared: [] },
	];
	const { user } = overview({}, { world: { changed } });
	await attention();
	await waitFor(() => expect(board().getByText("3 changes")).toBeVisible());
	const [, portal, server] = board().getAllByRole("row");
	expect(cells(portal as HTMLElement)[3]).toBe("NothingNot compared completely: Collaborations");
	expect(cells(server as HTMLElement)[3]).toBe("3 changes1 not by the app");
	await user.click(board().getByRole("button", { name: "3 changes" }));
	expect(screen.getByTestId("place")).toHaveTextContent(/^changes/);
});

test("what needs attention is named, worst first, each with its one button", async () => {
	const concerns = [
		ofRecord(entry({ id: "f" })),
		ofRecord(entry({ id: "u", operation: "refresh_invitation", outcome: "unknown", server: null })),
		deactivatedConcern(["Notify water desk"]),
	];
	const { user } = overview({}, { world: { concerns } });
	const rows = within(await (await attention()).findByRole("list", { name: "Needs attention" }));
	const titles = rows.getAllByRole("listitem").map((row) => row.querySelector("p")?.textContent);
	expect(titles).toEqual([
		"Server import failed",
		"Outcome unknown: Invitation refresh",
		"1 webhook of gis.example.org is deactivated",
	]);
	expect(rows.getAllByText(/, gisops$/)[0]).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(rows.getByRole("button", { name: /^Show result/ }));
	expect(screen.getByTestId("place")).toHaveTextContent("history f");
});

test("the webhooks of a row are listed in the language that is spoken, also once it was turned while they are shown", async () => {
	const names = ["Copy to the fire service", "Notify maintenance"];
	overview({}, { world: { concerns: [deactivatedConcern(names)] } });
	const row = async (words: RegExp) => (await screen.findByText(words)).textContent;
	expect(await row(/^Copy to/)).toContain(names.join(" and "));
	for (const [language, word] of [
		["de", "und"],
		["es", "y"],
		["en", "and"],
		["de", "und"],
	] as const) {
		await act(() => speak(language));
		expect(await row(/^Copy to/)).toContain(names.join(` ${word} `));
	}
	await act(() => speak("en"));
});

test("of many, the first six are shown, and then all", async () => {
	const concerns = Array.from({ length: 8 }, (_, n) => ofRecord(entry({ id: String(n), outcome: "unknown" })));
	const { user } = overview({}, { world: { concerns } });
	const rows = within(await (await attention()).findByRole("list", { name: "Needs attention" }));
	expect(rows.getAllByRole("listitem")).toHaveLength(6);
	await user.click(screen.getByRole("button", { name: "Show all (8)" }));
	expect(rows.getAllByRole("listitem")).toHaveLength(8);
});

test("a check is read into the table with its time, and one that fails leaves the earlier fact", async () => {
	const notRunning = [{ service: "Parcels/Zoning.MapServer", state: "STOPPED" }];
	const serviceCheck = { checkedAt: Date.now(), services: 33, shouldRun: 32, running: 31, notRunning };
	const failure: ComponentCheck = {
		server: "server",
		problem: { kind: "rejected", code: 403, message: "No rights.", details: [] },
	};
	const checkFailures: ComponentCheck[] = [];
	const about = { kind: "services", count: 1, services: notRunning, checkedAt: Date.now() } as const;
	const concerns: Concern[] = [{ tone: "failed", server: "server", at: Date.now(), about: { ...about } }];
	const { user } = overview({}, { world: { serviceCheck, checkFailures, concerns } });
	const check = await screen.findByRole("button", { name: "Check now" });
	await user.click(check);
	expect(await board().findByText("31 of 32")).toBeVisible();
	expect(board().getByText(/hosting|GIS server · 11\.3/)).toBeVisible();
	const title = "1 service on gis.example.org does not run";
	expect(await (await attention()).findByText(title)).toBeVisible();

	await user.click(screen.getByRole("button", { name: `Show services: ${title}` }));
	const down = await screen.findByRole("table", { name: "Services that are not running" });
	// One fact has one tone: here, in the list above, and in the table below.
	const notice = screen.getByRole("status", { name: "31 of 32 services are running" });
	expect(notice.style.getPropertyValue("--notice-tone")).toBe("var(--tone-failed)");
	expect(within(down).getByRole("row", { name: /Zoning.*STOPPED/ })).toBeVisible();
	expect(screen.getByText("1 other service is not configured to start.")).toBeVisible();
	await user.click(
		screen.getByRole("button", { name: "Read required items from the manifest: Parcels/Zoning.MapServer" }),
	);
	expect(
		await screen.findByRole("button", { name: "Show /enterpriseDatabases/parcels in the data store items" }),
	).toBeVisible();

	checkFailures.push(failure);
	await user.click(screen.getByRole("button", { name: "Check now" }));
	expect(await screen.findByText("No rights.")).toBeVisible();
	expect(await board().findByText(/^31 of 32, /)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a check that did not return everything says so beside its time, and the site is not called well", async () => {
	const serviceCheck = { checkedAt: 0, services: 6, shouldRun: 4, running: 4, notRunning: [], unlisted: ["Sensors"] };
	const { user } = overview({}, { world: { serviceCheck } });
	await user.click(await screen.findByRole("button", { name: "Check now" }));
	expect(await board().findByText("4 of 4")).toBeVisible();
	expect(board().getByText(/, incomplete$/)).toBeVisible();
	expect((await attention()).getByText(/Not everything could be checked yet/)).toBeVisible();
});

test("a site whose portal could not be checked is not called well", async () => {
	const serviceCheck = { checkedAt: 0, services: 4, shouldRun: 4, running: 4, notRunning: [] };
	const problem: ComponentCheck["problem"] = { kind: "rejected", code: 403, message: "No rights.", details: [] };
	const { user } = overview({}, { world: { serviceCheck, checkFailures: [{ server: null, problem }] } });
	await user.click(await screen.findByRole("button", { name: "Check now" }));
	expect(await board().findByText("4 of 4")).toBeVisible();
	expect((await attention()).getByText(/Not everything could be checked yet/)).toBeVisible();
});

test("a server where nobody is signed in says so, with the way to sign in", async () => {
	const about = { kind: "notSignedIn", checkedAt: Date.now() } as const;
	const concerns: Concern[] = [{ tone: "failed", server: "server", at: Date.now(), about }];
	overview({}, { world: { concerns } });
	expect(await (await attention()).findByText("Not signed in to gis.example.org")).toBeVisible();
	expect(screen.getByRole("button", { name: /^Sign in…/ })).toBeVisible();
});

test("an export that is old, or whose entries could not all be verified, has a warning beside it", async () => {
	const partlyVerified = { at: Date.now() - day, unverifiedEntries: 3, isRecognized: true };
	const exportState = { verified: null, hasWarnings: false, partlyVerified };
	overview({}, { world: { exportState } });
	expect(await screen.findByText("3 entries not verified")).toBeVisible();
	const old = { verified: Date.now() - 41 * day, hasWarnings: false, partlyVerified: null };
	overview({}, { world: { exportState: old } });
	expect(await screen.findByText("41 days ago")).toBeVisible();
});

test("a site that is no portal with its servers says what it is", async () => {
	overview({ deploymentType: "kubernetes" });
	expect(await screen.findByText(/ · Kubernetes deployment · /)).toBeVisible();
});

test("says when an export was verified", async () => {
	overview({}, { world: { exportState: { verified: Date.now() - day, hasWarnings: false, partlyVerified: null } } });
	await waitFor(() => expect(board().getAllByText("yesterday")).not.toHaveLength(0));
	expect(board().queryByText(/with warnings/)).toBeNull();
});

test("says that a verified export ended with warnings", async () => {
	overview({}, { world: { exportState: { verified: Date.now() - day, hasWarnings: true, partlyVerified: null } } });
	await waitFor(() => expect(board().getAllByText(/^with warnings/)).not.toHaveLength(0));
});

test.each([
	["portal", {}, "https://gis.example.org/portal"],
	["server manager", { portal: null }, "https://gis.example.org/server/manager"],
] as const)("the %s is opened in the system's browser", async (page, more, address) => {
	const { user, links } = overview(more);
	await user.click(await screen.findByRole("button", { name: `Open ${page}` }));
	await waitFor(() => expect(links).toEqual([address]));
});

test("a browser that does not open leaves the address to the person", async () => {
	const { user } = overview({}, { fail: { openLink: { kind: "noDialog", message: "no browser" } } });
	await user.click(await screen.findByRole("button", { name: "Open portal" }));
	const notice = within(await screen.findByRole("alert", { name: "Could not open the browser" }));
	expect(notice.getByText(/gis\.example\.org/)).toBeVisible();
	expect(notice.getByRole("button", { name: /Copy/ })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a page that is refused is said with the reason", async () => {
	const message = "elsewhere <b>is not part</b> of this site";
	const { user } = overview({}, { fail: { openLink: { kind: "unexpected", message } } });
	await user.click(await screen.findByRole("button", { name: "Open portal" }));
	const refusal = within(await screen.findByRole("alert", { name: /encountered an error/ }));
	await user.click(refusal.getByRole("button", { name: "Details" }));
	expect(await refusal.findByText(/elsewhere <b>is not part<\/b> of this site/)).toBeVisible();
});

test("practice has no page for a browser", async () => {
	overview({ environment: "practice" });
	expect(await screen.findByText("gisadmin")).toBeVisible();
	expect(screen.queryByRole("button", { name: /^Open/ })).toBeNull();
});
