import { screen, within } from "@testing-library/react";
import type { ProofLine, Receipt, ReceiptView, RehearsalStep, SiteProof, SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { useDroppedFiles } from "@/lib/dropped-file";
import { NavigationProvider, useBrought, useNavigation } from "@/lib/navigation";
import { production, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, renderWith } from "@/test/render";
import { RehearseButton } from "../sets/backup-set-page";
import { ReceiptPage } from "./receipt-page";
import { RehearsalPage } from "./rehearsal-page";

const city = { ...production, id: "city", name: "City GIS" };
const harbour = { ...production, id: "harbour", name: "Harbour Test", environment: "test" as const, readOnly: false };
const plan = planOf(city);

/** Shows the current place, the dropped file, and the values brought to the import form. */
function Where() {
	const { place } = useNavigation();
	const { drop } = useDroppedFiles();
	const { brought } = useBrought("harbour", "import_portal");
	return <output>{JSON.stringify({ place, drop, brought })}</output>;
}

function world(change: MemoryOptions["world"] = {}): MemoryOptions {
	const planSets = new Map([["nightly", [setOf(plan, 1)]]]);
	return { world: { ...usualWorld().world, sites: [city, harbour], plans: [plan], planSets, ...change } };
}

function show(change: MemoryOptions["world"] = {}, site: SiteView = harbour) {
	return renderWith(
		<NavigationProvider>
			<RehearsalPage site={site} plan="nightly" set="set-1" />
			<Where />
		</NavigationProvider>,
		world(change),
	);
}

const row = async (name: string) => within(await screen.findByRole("row", { name }));
const imported = (part: RehearsalStep["part"]): RehearsalStep["part"] => ({
	...part,
	import: { record: "r-7", outcome: "succeeded", at: Date.now(), began: Date.now() - 60_000, file: "ofSet" },
});
const openPart: RehearsalStep["part"] = {
	server: null,
	name: "City GIS",
	copy: { kind: "none", why: "notHere" },
	otherVersion: null,
	import: null,
};
const begun = { id: "1", plan: "nightly", set: "set-1", site: "harbour", at: Date.now(), servers: [], skipped: [] };

/** Returns the receipt of a rehearsal whose portal import ended in this state, and in which nothing else was imported. */
function receiptOf(ofPortal: Partial<Receipt["parts"][number]>): ReceiptView {
	const { import: portalImport } = imported(openPart);
	const parts = setOf(plan, 1).set.parts.map(({ server, name }): Receipt["parts"][number] => ({
		...{ server, name, file: "", size: null, sha256: null, ontoUrl: "", state: "open", import: null, back: null },
		...(server === null ? { import: portalImport, ...ofPortal } : {}),
	}));
	return {
		receipt: {
			rehearsal: begun.id,
			verdict: "incomplete",
			plan: "nightly",
			planName: "Nightly",
			set: "set-1",
			setSha256: "d".repeat(64),
			setStarted: begun.at,
			site: city.id,
			siteName: city.name,
			testSite: harbour.id,
			testSiteName: harbour.name,
			began: begun.at,
			ended: begun.at,
			recoveryTime: null,
			differences: [],
			parts,
			notTried: ["dataStores", "caches", "administrator", "adaptors", "urls"],
			head: "4812 7d20",
		},
		username: "gisadmin",
		computer: "gis-desk",
		putBack: [{ name: city.name, ontoUrl: "", import: "r-7", canUndo: true, undoneBy: null }],
	};
}

test("a set leads to a test site only, and to the rehearsal that was begun", async () => {
	const { user, backend } = renderWith(
		<NavigationProvider>
			<RehearseButton site={city} plan={plan.plan} set="set-1" />
			<Where />
		</NavigationProvider>,
		world(),
	);
	await user.click(await screen.findByRole("button", { name: "Rehearse…" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getAllByRole("radio")).toHaveLength(1);
	expect(dialog.getByRole("radio", { name: /Harbour Test/ })).toBeChecked();
	await user.click(dialog.getByRole("button", { name: "Compare" }));
	await screen.findByText(/"page":"rehearsal","site":"harbour","plan":"nightly","set":"set-1"/);
	expect(await backend.rehearsals()).toEqual([]);
});

test("without a test site, the dialog says how to get one", async () => {
	const { user } = renderWith(
		<NavigationProvider>
			<RehearseButton site={city} plan={plan.plan} set="set-1" />
		</NavigationProvider>,
		world({ sites: [city] }),
	);
	await user.click(await screen.findByRole("button", { name: "Rehearse…" }));
	expect(await screen.findByText("No site is marked as test")).toBeVisible();
	expect(screen.getByRole("button", { name: "Compare" })).toBeDisabled();
});

test("what differs is listed before it begins, and a site that is no test site is refused", async () => {
	const differences = [{ part: "server", about: "version", set: "11.3", test: "" }] as const;
	const { user, backend, container } = show({ differences: [...differences] });
	expect(await screen.findByText(/version .?11\.3.?, on the test site .?not known/)).toBeVisible();
	expect(screen.queryByRole("button", { name: /^Open the import/ })).toBeNull();
	expect(await axeFindings(container)).toEqual([]);
	expect(screen.getByRole("region", { name: "Where" })).toHaveAttribute("aria-current", "step");
	await user.click(screen.getByRole("button", { name: "Begin rehearsal" }));
	expect(await screen.findByText(/^Begun/)).toBeVisible();
	// What differs takes one line from then on.
	expect(screen.getByRole("button", { name: "1 difference from City GIS" })).toHaveAttribute("aria-expanded", "false");
	expect(await backend.rehearsals()).toHaveLength(1);
});

test("without its set, the page says nothing of a site that it does not know", async () => {
	show({ planSets: new Map() });
	expect(await screen.findByRole("button", { name: "End without a receipt" })).toBeVisible();
	expect(screen.queryByText(/Everything is sent to/)).toBeNull();
});

test("a production site is refused before anything begins", async () => {
	show({}, city);
	expect(await screen.findByText("The site is not marked as test")).toBeVisible();
	expect(screen.getByRole("button", { name: "Begin rehearsal" })).toBeDisabled();
});

test("only the next import can be opened, with its path or file, and a part can be skipped", async () => {
	const { user, backend } = show({ rehearsals: [begun] });
	const portal = await row("City GIS");
	expect((await row("server")).getByRole("button", { name: "Open the import of server" })).toBeDisabled();
	await user.click(portal.getByRole("button", { name: "Skip City GIS" }));
	expect(await portal.findByText("Skipped")).toBeVisible();
	expect((await backend.rehearsals())[0]?.skipped).toEqual([null]);
	await user.click((await row("server")).getByRole("button", { name: "Open the import of server" }));
	await screen.findByText(/"page":"operation","site":"harbour","server":"server","key":"import_server"/);
	await screen.findByText(/\/backups\/nightly\/set-1\/server set-1\.agssite/);
});

test("the step and the part that are next stand out from those that are done, and from later ones", async () => {
	const back = { state: "back", part: imported(openPart) } as const;
	show({ rehearsals: [begun], rehearsalSteps: new Map([[null, back]]) });
	const imports = await screen.findByRole("region", { name: "Imports, 1 of 4 back" });
	expect(imports).toHaveAttribute("aria-current", "step");
	const page = within(screen.getByRole("region", { name: "Rehearsal" }));
	expect(page.getByRole("heading", { level: 1 })).toHaveTextContent("step 2 of 4");
	expect(page.getByRole("region", { name: "Receipt" })).not.toHaveAttribute("aria-current");
	const rows = page.getAllByRole("row").slice(1);
	expect(rows.map((one) => one.getAttribute("aria-current"))).toEqual([null, "true", null, null]);
	expect(rows.slice(1).map((one) => one.textContent)).toEqual([
		expect.stringContaining("Not importednext"),
		expect.stringContaining("Not importedafter the one before"),
		expect.stringContaining("Not importedafter the one before"),
	]);
});

test("when no import is left, the rehearsal is at its receipt", async () => {
	const steps = setOf(plan, 1).set.parts.map(
		({ server, name }) => [server, { state: "back", part: imported({ ...openPart, server, name }) }] as const,
	);
	show({ rehearsals: [begun], rehearsalSteps: new Map(steps) });
	expect(await screen.findByRole("region", { name: "Receipt" })).toHaveAttribute("aria-current", "step");
	expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("step 3 of 4");
});

test("the form of the portal gets the path of the file", async () => {
	const { user, backend } = show({ rehearsals: [begun] });
	const opened = { kind: "portal", location: "/srv/exports/City.portalsite" } as const;
	vi.spyOn(backend, "openRehearsalStep").mockResolvedValue(opened);
	await user.click(await screen.findByRole("button", { name: "Open the import of City GIS" }));
	const output = await screen.findByText(/"key":"import_portal"/);
	expect(output).toHaveTextContent('{"name":"location","value":"/srv/exports/City.portalsite"}');
});

test("while the site is coming back the next step waits, and the user can stop waiting", async () => {
	const steps = new Map<string | null, Partial<RehearsalStep>>([[null, { state: "comingBack" }]]);
	const { user, backend } = show({ rehearsals: [begun], rehearsalSteps: steps });
	const stopped = vi.spyOn(backend, "stopSiteCheck");
	const portal = await row("City GIS");
	expect(portal.getByText("Still coming back")).toBeVisible();
	await user.click(portal.getByRole("button", { name: "Stop waiting until Harbour Test is back" }));
	expect(stopped).toHaveBeenCalledWith("harbour");
});

test("an import whose outcome is unknown leads to the check of it", async () => {
	const part = imported(openPart);
	const steps = new Map<string | null, Partial<RehearsalStep>>([[null, { state: "unknown", part }]]);
	const { user } = show({ rehearsals: [begun], rehearsalSteps: steps });
	const portal = await row("City GIS");
	expect(portal.getByText("Outcome unknown")).toBeVisible();
	await user.click(portal.getByRole("button", { name: "Check the outcome of the import of City GIS" }));
	await screen.findByText(/"page":"history","record":"r-7","check":true/);
});

test("the receipt is shown although the page has read that the rehearsal ended before the answer came", async () => {
	const part = imported(openPart);
	const steps = new Map<string | null, Partial<RehearsalStep>>([[null, { state: "failed", part }]]);
	const receipts = new Map([["r-9", receiptOf({ state: "failed" })]]);
	const { user, backend, queries } = show({ rehearsals: [begun], rehearsalSteps: steps, receipts });
	const { endRehearsal } = backend;
	backend.endRehearsal = async (site) => {
		const record = await endRehearsal(site);
		await queries.invalidateQueries();
		await screen.findByRole("button", { name: "Begin rehearsal", hidden: true });
		return record;
	};
	await user.click(await screen.findByRole("button", { name: "End rehearsal…" }));
	await user.click(await screen.findByRole("button", { name: "End rehearsal" }));
	expect(await screen.findByText(/"page":"receipt","site":"harbour","record":"r-/)).toBeInTheDocument();
});

test("it ends at every moment: without an import without a receipt, and else with one that names what was not tried", async () => {
	const first = show({ rehearsals: [begun] });
	await first.user.click(await screen.findByRole("button", { name: "End rehearsal…" }));
	expect(await screen.findByText("Nothing was imported: no receipt is written.")).toBeVisible();
	await first.user.click(screen.getByRole("button", { name: "End rehearsal" }));
	await vi.waitFor(async () => expect(await first.backend.rehearsals()).toEqual([]));
	first.unmount();

	const part = imported(openPart);
	const steps = new Map<string | null, Partial<RehearsalStep>>([[null, { state: "failed", part }]]);
	const receipts = new Map([["r-9", receiptOf({ state: "failed" })]]);
	const { user, backend } = show({ rehearsals: [begun], rehearsalSteps: steps, receipts });
	await user.click(await screen.findByRole("button", { name: "End rehearsal…" }));
	await user.click(await screen.findByRole("button", { name: "End rehearsal" }));
	await screen.findByText(/"page":"receipt","site":"harbour","record":"r-9"/);
	const shown = renderWith(
		<NavigationProvider>
			<ReceiptPage site={harbour} record="r-9" />
			<Where />
		</NavigationProvider>,
		backend,
	);
	const page = within(shown.container);
	expect(await page.findByText("Import failed")).toBeVisible();
	expect(page.getAllByText("Not imported")).toHaveLength(3);
	expect(page.getByText(/^Data in the data stores: restored with/)).toBeVisible();
	expect(await axeFindings(shown.container)).toEqual([]);
	await shown.user.click(page.getByRole("button", { name: "Undo the import of City GIS" }));
	await page.findByText(/"page":"history","record":"r-7"/);
});

test("the receipt has what is not as it should be beside what was not tried, and is printed", async () => {
	const line = (about: ProofLine["about"], state: ProofLine["state"], done: number, of: number): ProofLine => ({
		about,
		state,
		done,
		of,
		open: [],
		more: 0,
	});
	const back: SiteProof = {
		checkedAt: Date.now(),
		state: "wrong",
		lines: [line("services", "wrong", 14, 15), line("federation", "done", 1, 1)],
		versions: ["11.3"],
		isAsBefore: true,
		index: null,
		issuedAt: null,
		recoveryTime: null,
	};
	const backend = fakeBackend(world({ receipts: new Map([["r-9", receiptOf({ state: "backBut", back })]]) }));
	const { user } = renderWith(
		<NavigationProvider>
			<ReceiptPage site={harbour} record="r-9" />
		</NavigationProvider>,
		backend,
	);
	const open = within(await screen.findByRole("region", { name: "Not as it should be" }));
	expect(open.getByText(/^14 of 15/)).toBeVisible();
	expect(open.queryByText(/^1 of 1/)).toBeNull();
	expect(screen.getByRole("region", { name: "As it should be" })).toHaveTextContent("1 of 1");
	expect(screen.getByRole("region", { name: "Not tried" })).toBeVisible();
	const printed = vi.spyOn(backend, "printPage");
	await user.click(screen.getByRole("button", { name: "Print…" }));
	expect(printed).toHaveBeenCalledOnce();
});
