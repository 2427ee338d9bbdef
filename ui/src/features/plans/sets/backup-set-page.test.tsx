import { screen, waitFor, within } from "@testing-library/react";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { useDroppedFiles } from "@/lib/dropped-file";
import { formatDateTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { site, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, fill, renderWith } from "@/test/render";
import { BackupSetPage } from "./backup-set-page";

const server = "localhost/server";
const production = { ...site, id: "city", name: "City GIS", environment: "production" as const };
const plan = planOf(production);
const skipped = { kind: "skipped", reason: "busy" } as const;

/** Shows the current place and the path of the dropped file. */
function Where() {
	const { place } = useNavigation();
	const { drop } = useDroppedFiles();
	return <output>{`${JSON.stringify(place)} ${drop?.file?.path}`}</output>;
}

function show(name: string, change: Partial<ReturnType<typeof usualWorld>["world"]> = {}, options: MemoryOptions = {}) {
	const { world } = usualWorld();
	const sets = [setOf(plan, 1, [skipped]), setOf(plan, 2)];
	return renderWith(
		<>
			<BackupSetPage site={production} plan="nightly" set={name} />
			<Where />
		</>,
		{
			...options,
			world: { ...world, sites: [production], plans: [plan], planSets: new Map([["nightly", sets]]), ...change },
		},
	);
}

/** The text of an element without the marks that isolate directions. */
const isolated = (element: HTMLElement) => element.textContent?.replace(/[\u2066-\u2069]/g, "");

test("a part that is not in the set is said first, with the set that has its newest verified copy", async () => {
	const { user, container } = show("set-1");
	const verdict = await screen.findByRole("alert");
	expect(verdict).toHaveTextContent(`${server} is not in this set`);
	expect(verdict).toHaveTextContent(/Skipped, another operation was running/);
	expect(verdict).toHaveTextContent(/Not checked: .*Portal/);
	expect(await axeFindings(container)).toEqual([]);
	await user.click(within(verdict).getByRole("button", { name: /^Open set of/ }));
	expect(screen.getByText(/"set":"set-2"/)).toBeInTheDocument();
});

test("a part that failed leads to its history entry, which has what the site returned", async () => {
	const failed = setOf(plan, 1, [{ kind: "unknown" }]);
	const sent = { ...failed.set, parts: failed.set.parts.map((part) => ({ ...part, record: part.server && "r-7" })) };
	const { user } = show("set-1", { planSets: new Map([["nightly", [{ ...failed, set: sent }]]]) });
	await user.click(await screen.findByRole("button", { name: "Open its history entry" }));
	await screen.findByText(/"page":"history","record":"r-7"/);
});

test("each part that failed has a link to its own history entry, and the others have none", async () => {
	const failed = { kind: "failed", fault: { kind: "rejected" }, note: "" } as const;
	const stored = setOf(plan, 1, [{ kind: "unknown" }, failed]);
	const parts = stored.set.parts.map((part) => ({ ...part, record: `of ${part.server}` }));
	const set = { ...stored, set: { ...stored.set, parts } };
	const { user } = show("set-1", { planSets: new Map([["nightly", [set]]]) });
	const board = await screen.findByRole("table", { name: "Parts" });
	const links = within(board).getAllByRole("button", { name: /^History entry of/ });
	expect(links).toHaveLength(2);
	await user.click(links.at(-1) as HTMLElement);
	const second = parts.find(({ state }) => state.kind === "failed")?.server;
	await screen.findByText(new RegExp(`"page":"history","record":"of ${second}"`));
});

test("the inventory of a portal has its items, users and groups", async () => {
	show("set-2");
	const board = await screen.findByRole("table", { name: "Parts" });
	const row = within(board).getByRole("row", { name: "Portal" });
	expect(await within(row).findByText(/ items?$/)).toBeVisible();
	expect(within(row).getByText(/ users?, .* groups?/)).toBeVisible();
});

test("a set that is as expected says so, and names what was not checked", async () => {
	show("set-2");
	const verdict = await screen.findByRole("status", { name: "Each part is as expected" });
	expect(verdict).toHaveTextContent(/Not checked: .*Portal/);
	expect(screen.getByText(/^34 min \(/)).toBeVisible();
	expect(screen.getByText(/^Not included: the data in the data stores/)).toBeVisible();
});

test.each([[["2 items have no content", "groupsSkipped: 1"]], [[]]])(
	"a set whose export had warnings is as expected and says so: %j",
	async (warnings) => {
		const stored = setOf(plan, 2);
		const parts = stored.set.parts.map((part) => (part.server === null ? { ...part, warnings } : part));
		const set = { ...stored, set: { ...stored.set, parts } };
		const { container } = show("set-2", { planSets: new Map([["nightly", [set]]]) });
		const verdict = await screen.findByRole("status", { name: "Each part is as expected" });
		expect(verdict.style.getPropertyValue("--notice-tone")).toBe("var(--tone-warnings)");
		expect(verdict).toHaveTextContent(/Warnings about the export of .*Portal/);
		for (const said of warnings.length > 0 ? warnings : ["No details were returned."]) {
			expect(within(verdict).getByText(said)).toBeVisible();
		}
		expect(screen.getByText(/^On the site, not checked, with warnings$/)).toBeVisible();
		expect(screen.queryByText(/^Verified, with warnings$/)).toBeNull();
		expect(await axeFindings(container)).toEqual([]);
	},
);

test("the run says what was told of it, when it was rehearsed, and where the audit trail has it", async () => {
	const at = new Date(2026, 10, 27, 3, 4).getTime();
	const alert = { at, by: "mail" as const, receiver: "mail.example.org", isSent: true };
	const setAlerts = [alert, { ...alert, by: "desktop" as const, receiver: "", isSent: false }];
	const ended = { record: "r-9", at, outcome: "succeeded" as const, back: 4, of: 4, site: "test", siteName: "Test" };
	const rehearsed = { ...setOf(plan, 2), rehearsed: ended };
	show("set-2", { setAlerts, planSets: new Map([["nightly", [setOf(plan, 1), rehearsed]]]) });
	const run = await screen.findByRole("region", { name: "Run" });
	expect(await within(run).findByText("entry 4,812, SHA-256 cccccccc…cccc")).toBeVisible();
	expect(isolated(run)).toMatch(/Started byscheduler, for .*, as gisadminDuration/);
	const when = formatDateTime(at);
	expect(isolated(run)).toContain(`ToldMail (mail.example.org), ${when}\u00a0· Desktop, ${when}, not sent`);
	expect(isolated(run)).toMatch(/Rehearsed.* on Test\u00a0· 4 of 4 parts back Show receipt/);
});

test("a set without alerts, or of another computer, says so", async () => {
	const { world } = usualWorld();
	const planSets = new Map([["nightly", [setOf(plan, 2)]]]);
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan], planSets } });
	vi.spyOn(backend, "setTrail").mockResolvedValue({ accounts: [], entry: null, alerts: [] });
	renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	const run = await screen.findByRole("region", { name: "Run" });
	expect(await within(run).findByText("No entry on this computer")).toBeVisible();
	expect(isolated(run)).toContain("RehearsedNeverToldNo alert");
	expect(run).not.toHaveTextContent(/, as /);
});

test("a server opens to its services, with the number of other sets that have each", async () => {
	const { user } = show("set-2");
	await user.click(await screen.findByRole("button", { name: `Services of ${server}` }));
	await fill(user, await screen.findByLabelText(`Search the services of ${server}`), "zoning");
	const found = screen.getByRole("table", { name: `Services of ${server}` });
	const rows = within(found).getAllByRole("row").slice(1);
	expect(rows.map((row) => row.textContent)).toEqual([
		"Parcels/Zoning.MapServerSTARTEDalso in 1 other set",
		"Zoning/Draft.FeatureServerSTARTEDonly in this set",
	]);
	expect(screen.getByText(`2 of 3 services of ${server}`)).toBeVisible();
});

test("the file of a server is brought to the form of the import", async () => {
	const { user } = show("set-2");
	await user.click(await screen.findByRole("button", { name: `Import the file of ${server}…` }));
	await screen.findByText(/"page":"operation","site":"city","server":"server","key":"import_server"/);
	await screen.findByText(/\/backups\/nightly\/set-2\/server set-2\.agssite/);
});

test("what would change with a part is compared in the form of its import, if the set has an inventory of it", async () => {
	const { user } = show("set-2");
	await user.click(await screen.findByRole("button", { name: `What would change with ${server}` }));
	await screen.findByText(/"page":"operation","site":"city","server":"server","key":"import_server"/);
	await screen.findByText(/\/backups\/nightly\/set-2\/server set-2\.agssite/);
});

test("a portal export without a path in the history is neither compared nor imported, and the set says why", async () => {
	const { world } = usualWorld();
	const planSets = new Map([["nightly", [setOf(plan, 2)]]]);
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan], planSets } });
	const { siteRestore } = backend;
	backend.siteRestore = async (of, set) => {
		const { begun, steps } = await siteRestore(of, set);
		const copy = { kind: "none", why: "unknownPath" } as const;
		return { begun, steps: steps.map((step) => (step.server === null ? { ...step, copy } : step)) };
	};
	renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	expect(await screen.findByText(/^The history does not have the path of the export file/)).toBeVisible();
	expect(screen.queryByRole("button", { name: "What would change with Portal" })).toBeNull();
	expect(screen.getByRole("button", { name: `What would change with ${server}` })).toBeVisible();
});

test("a part of another version than the site has now is marked", async () => {
	const { world } = usualWorld();
	const planSets = new Map([["nightly", [setOf(plan, 2)]]]);
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan], planSets } });
	const { siteRestore } = backend;
	backend.siteRestore = async (of, set) => {
		const { begun, steps } = await siteRestore(of, set);
		const otherVersion = { export: "11.1", now: "11.3" };
		return { begun, steps: steps.map((step) => (step.server === "server" ? { ...step, otherVersion } : step)) };
	};
	renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	const row = await screen.findByRole("row", { name: server });
	const text = /of version 11\.1, which cannot be imported into version 11\.3/;
	expect(await within(row).findByText(text)).toBeVisible();
	expect(screen.getAllByText(text)).toHaveLength(1);
});

test("the portal is imported by its path, and a part without a usable copy is not imported", async () => {
	const { user } = show("set-1");
	await user.click(await screen.findByRole("button", { name: "Import the file of Portal…" }));
	await screen.findByText(/"page":"operation","site":"city","server":null,"key":"import_portal"/);
	expect(screen.queryByRole("button", { name: `Import the file of ${server}…` })).toBeNull();
});

test("the steps of a restore are on a page of their own", async () => {
	const { user } = show("set-2");
	await user.click(await screen.findByRole("button", { name: "Restore this site…" }));
	await screen.findByText(/"page":"backup-set",.*"set":"set-2","restore":true/);
});

test("a file that was damaged since its run is noticed when it is verified again, and not offered any more", async () => {
	const { user } = show("set-2", { fileVerification: { kind: "faulty", fault: "damaged" } });
	await screen.findByRole("button", { name: `Import the file of ${server}…` });
	await user.click(await screen.findByRole("button", { name: `Verify the file of ${server} again` }));
	expect(await screen.findByText("The file is not complete, or was changed")).toBeVisible();
	expect(await screen.findByRole("alert")).toHaveTextContent(`${server} is not in this set`);
	await waitFor(() => expect(screen.queryByRole("button", { name: `Import the file of ${server}…` })).toBeNull());
});

test("a verification shows its progress, and can be stopped", async () => {
	const { user, container } = show("set-2", {}, { endless: ["verifySetFile"] });
	await user.click(await screen.findByRole("button", { name: `Verify the file of ${server} again` }));
	const progress = await screen.findByRole("progressbar", { name: `Progress of the verification of ${server}` });
	expect(progress).toHaveAttribute("aria-valuenow", "50");
	expect(await axeFindings(container)).toEqual([]);
	await user.click(screen.getByRole("button", { name: `Stop verifying the file of ${server}` }));
	expect(await screen.findByText("Stopped, nothing is known")).toBeVisible();
	expect(screen.queryByRole("progressbar")).toBeNull();
});

test("a verification that was begun before the window was loaded again is found, with its progress and Stop", async () => {
	const { world } = usualWorld();
	const planSets = new Map([["nightly", [setOf(plan, 2)]]]);
	const backend = fakeBackend({
		endless: ["verifySetFile"],
		world: { ...world, sites: [production], plans: [plan], planSets },
	});
	const target = { site: production.id, server: "server" };
	void backend.verifySetFile(target, "before", "nightly", "set-2");
	const { user } = renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	const progress = await screen.findByRole("progressbar", { name: `Progress of the verification of ${server}` });
	expect(progress).toHaveAttribute("aria-valuenow", "50");
	await user.click(screen.getByRole("button", { name: `Stop verifying the file of ${server}` }));
	expect(await screen.findByRole("button", { name: `Verify the file of ${server} again` })).toBeVisible();
	expect(screen.queryByRole("progressbar")).toBeNull();
});

test("a set is pinned and unpinned", async () => {
	const { user, backend } = show("set-2");
	const isPinned = async () => (await backend.planSets("nightly")).sets[1]?.set.isPinned;
	await user.click(await screen.findByRole("button", { name: "Pin" }));
	await user.click(await screen.findByRole("button", { name: "Unpin" }));
	await screen.findByRole("button", { name: "Pin" });
	await waitFor(async () => expect(await isPinned()).toBe(false));
});

test("a set that is no longer there is said", async () => {
	show("set-9");
	expect(await screen.findByText("This backup set is no longer in the folder")).toBeVisible();
});

test("all files are verified again one after the other, until one is stopped", async () => {
	const { world } = usualWorld();
	const planSets = new Map([["nightly", [setOf(plan, 2)]]]);
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan], planSets } });
	const done = { kind: "done" as const, record: null, at: 1, took: 1, report: { kind: "verified" as const } };
	const end: (() => void)[] = [];
	const verify = vi
		.spyOn(backend, "verifySetFile")
		.mockImplementation(() => new Promise((resolve) => end.push(() => resolve(done))));
	const { user } = renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	await user.click(await screen.findByRole("button", { name: "Verify all again" }));
	expect(verify.mock.calls.map(([target]) => target.server)).toEqual(["server"]);
	end[0]?.();
	await waitFor(() => expect(verify.mock.calls.map(([target]) => target.server)).toEqual(["server", "second"]));
	end[1]?.();
	await waitFor(() => expect(verify).toHaveBeenCalledTimes(3));
	end[2]?.();
	await waitFor(() => expect(screen.getAllByText("Verified again")).toHaveLength(3));
});

test("after one is stopped, the other files are not verified", async () => {
	const { world } = usualWorld();
	const planSets = new Map([["nightly", [setOf(plan, 2)]]]);
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan], planSets } });
	const verify = vi.spyOn(backend, "verifySetFile").mockResolvedValue({ kind: "notSent", record: null, backup: null });
	const { user } = renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	const all = await screen.findByRole("button", { name: "Verify all again" });
	await user.click(all);
	expect(await screen.findByText("Stopped, nothing is known")).toBeVisible();
	await waitFor(() => expect(all).not.toHaveAttribute("data-loading"));
	expect(verify).toHaveBeenCalledTimes(1);
});

test("a part has its role and when it was verified, and the hash of its file is copied whole", async () => {
	const stored = setOf(plan, 2);
	const ended = new Date(2026, 10, 30, 2, 29).getTime();
	const parts = stored.set.parts.map((part) => ({ ...part, ended }));
	const set = { ...stored, set: { ...stored.set, parts, computer: "ws-017" } };
	const { user } = show("set-2", { planSets: new Map([["nightly", [set]]]) });
	const row = await screen.findByRole("row", { name: server });
	expect(within(row).getByText(/^2:29/)).toBeVisible();
	expect(screen.getByText(/^scheduler of ws-017, for /)).toBeVisible();
	expect(row).toHaveTextContent("GIS server");
	expect(row).toHaveTextContent("folder of the set · 1.24 GB");
	await user.click(within(row).getByRole("button", { name: "Copy: SHA-256 of server set-2.agssite" }));
	expect(await navigator.clipboard.readText()).toBe("a".repeat(64));
});

test("the way back stands above the title, and leads to the sets of the plan", async () => {
	const { user } = show("set-2");
	const back = await screen.findByRole("button", { name: "Backup plans › Nightly" });
	const title = screen.getByRole("heading", { level: 1 });
	expect(back.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
	await user.click(back);
	await screen.findByText(/"page":"plans","site":"city","plan":"nightly"/);
});

test("the file of the portal has its folder, size and hash, and is verified again as well", async () => {
	const { world } = usualWorld();
	const set = setOf(plan, 2);
	const portalFile = { name: "Nov.portalsite", folder: "\\\\nas\\exports", size: 398_000_000, sha256: "c".repeat(64) };
	set.set.parts = set.set.parts.map((part) => (part.server === null ? { ...part, portalFile } : part));
	const planSets = new Map([["nightly", [set]]]);
	const backend = fakeBackend({ world: { ...world, sites: [production], plans: [plan], planSets } });
	const done = { kind: "done" as const, record: null, at: 1, took: 1, report: { kind: "verified" as const } };
	const verify = vi.spyOn(backend, "verifySetFile").mockResolvedValue(done);
	const { user } = renderWith(<BackupSetPage site={production} plan="nightly" set="set-2" />, backend);
	const row = await screen.findByRole("row", { name: "Portal" });
	expect(row).toHaveTextContent("localhost/portal");
	expect(row).toHaveTextContent("Nov.portalsite");
	expect(row).toHaveTextContent("\\\\nas\\exports · 398.0 MB");
	expect(row).toHaveTextContent("cccccccc…cccc");
	await user.click(within(row).getByRole("button", { name: "Verify the file of Portal again" }));
	expect(await within(row).findByText("Verified again")).toBeVisible();
	expect(verify.mock.calls[0]?.[0]).toEqual({ site: "city", server: null });
	await user.click(screen.getByRole("button", { name: "Verify all again" }));
	await waitFor(() => expect(verify).toHaveBeenCalledTimes(5));
});
