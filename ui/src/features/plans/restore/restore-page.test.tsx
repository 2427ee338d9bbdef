import { screen, waitFor, within } from "@testing-library/react";
import type { ServerId, StepImport } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { useDroppedFiles } from "@/lib/dropped-file";
import { NavigationProvider, useBrought, useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries/keys";
import { production, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, renderWith } from "@/test/render";
import { RestorePage } from "./restore-page";
import { RestoreStep } from "./restore-step";

const site = { ...production, id: "city", name: "City GIS" };
const plan = planOf(site);
const imported: StepImport = {
	record: "r-7",
	outcome: "succeeded",
	at: Date.now(),
	began: Date.now() - 60_000,
	file: "ofSet",
};
const portalFile = "D:\\portal-exports\\City.portalsite";

/** Shows the current place, the dropped file, and the values brought to the import form. */
function Where() {
	const { place, go, back } = useNavigation();
	const { drop } = useDroppedFiles();
	const { brought } = useBrought(site.id, "import_portal");
	return (
		<>
			<output>{JSON.stringify({ place, drop, brought })}</output>
			<button
				type="button"
				onClick={() => go({ page: "backup-set", site: "city", plan: "nightly", set: "set-1", restore: true })}
			>
				Go to the steps
			</button>
			<button type="button" onClick={() => back?.()}>
				Back
			</button>
		</>
	);
}

function show(change: MemoryOptions["world"] = {}, page = <RestorePage site={site} plan="nightly" set="set-1" />) {
	const { world } = usualWorld();
	const skipped = { kind: "skipped", reason: "busy" } as const;
	const sets = [setOf(plan, 1, [{ kind: "verifiedHere" }, skipped])];
	return renderWith(
		<NavigationProvider>
			{page}
			<Where />
		</NavigationProvider>,
		{ world: { ...world, sites: [site], plans: [plan], planSets: new Map([["nightly", sets]]), ...change } },
	);
}

const step = (name: RegExp) => screen.findByRole("row", { name });

test("the way back stands above the title, and one line below it before the first step", async () => {
	show();
	await step(/^Portal: City GIS/);
	const title = screen.getByRole("heading", { level: 1 });
	const back = screen.getByRole("button", { name: "Back to the backup set" });
	expect(back.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
	expect(title.parentElement?.nextElementSibling).toHaveTextContent(/This page sends nothing\. The portal comes first/);
});

test("the portal comes first, and a part without a usable copy says why and is not offered", async () => {
	const { container } = show();
	const portal = await step(/^Portal: City GIS/);
	expect(portal).toHaveTextContent(`${portalFile}size not known · not verified`);
	const steps = within(screen.getByRole("table", { name: "Restore City GIS" })).getAllByRole("row", { name: /:/ });
	expect(steps.map((row) => row.getAttribute("aria-label"))).toEqual([
		"Portal: City GIS",
		"Server: gis.example.org/server",
		"Server: gis.example.org/image",
		"Server: gis.example.org/geo",
	]);
	expect(await step(/^Server: .*\/server/)).toHaveTextContent(/server set-1\.agssite.* · verified/);
	const second = await step(/^Server: .*\/image/);
	expect(second).toHaveTextContent(/no usable copy.*Skipped.*another operation was running/);
	expect(within(second).queryByRole("button")).toBeNull();
	expect(await axeFindings(container)).toEqual([]);
});

test("the form of the portal import is opened with the path of the export, and the restore has begun", async () => {
	const { user, backend } = show();
	await user.click(screen.getByRole("button", { name: "Go to the steps" }));
	await user.click(await screen.findByRole("button", { name: "Open the import form of Portal: City GIS" }));
	await screen.findByText(/"page":"operation","site":"city","server":null,"key":"import_portal"/);
	expect(screen.getByRole("status", { name: "" }).textContent).toContain(JSON.stringify(portalFile));
	expect((await backend.siteRestore("nightly", "set-1")).begun).not.toBeNull();
	await user.click(screen.getByRole("button", { name: "Back" }));
	await screen.findByText(/"page":"backup-set",.*"restore":true/);
});

test("the form of the server import is opened with the file of that server", async () => {
	const { user } = show();
	await user.click(
		await screen.findByRole("button", { name: "Open the import form of Server: gis.example.org/server" }),
	);
	await screen.findByText(/"page":"operation","site":"city","server":"server","key":"import_server"/);
	await screen.findByText(/\/backups\/nightly\/set-1\/server set-1\.agssite/);
});

test("a user who opens another page while the file is read stays there", async () => {
	const { user, backend } = show();
	let answer = () => {};
	const read = backend.setFileForImport;
	backend.setFileForImport = async (...of) => {
		await new Promise<void>((resolve) => (answer = resolve));
		return read(...of);
	};
	const open = await screen.findByRole("button", { name: "Open the import form of Server: gis.example.org/server" });
	await user.click(open);
	await user.click(screen.getByRole("button", { name: "Go to the steps" }));
	answer();
	await waitFor(() => expect(open).not.toHaveAttribute("data-loading"));
	await screen.findByText(/"page":"backup-set",.*"drop":null/);
});

test("an import since the restore was begun is the state of its step, and leads to its entry", async () => {
	const restores = new Map([["nightly", { set: "set-1", at: Date.now() - 60_000 }]]);
	const { user } = show({
		restores,
		restored: new Map<ServerId | null, StepImport>([
			[null, imported],
			["server", { ...imported, record: "r-8", outcome: "failed" }],
		]),
	});
	expect(await screen.findByText(/^Begun /)).toBeVisible();
	const portal = await step(/^Portal: City GIS/);
	expect(portal).toHaveTextContent(/Imported .*: Succeeded/);
	expect(await step(/^Server: .*\/server/)).toHaveTextContent(/Imported .*: Failed/);
	// A part that is done is not offered again; the first one that is left stands out.
	expect(within(portal).queryByRole("button", { name: /^Open the import form/ })).toBeNull();
	const next = screen.getByRole("button", { name: "Open the import form of Server: gis.example.org/server" });
	expect(next).toHaveAttribute("data-variant", "filled");
	await user.click(within(portal).getByRole("button", { name: "Open the history entry" }));
	await screen.findByText(/"page":"history","record":"r-7"/);
});

test("above its import, a step says how far the restore is, and leads to the next one once it is done", async () => {
	const restores = new Map<string, { set: string; at: number }>();
	const restored = new Map<ServerId | null, StepImport>();
	const step = <RestoreStep site={site} server={null} ofSet={{ plan: "nightly", set: "set-1" }} />;
	const { user, queries } = show({ restores, restored }, step);
	const key = queryKeys.siteRestore("nightly", "set-1");
	await waitFor(() => expect(queries.getQueryState(key)?.status).toBe("success"));
	// The import was opened from the set, and no restore was begun.
	expect(screen.queryByRole("region")).toBeNull();

	restores.set("nightly", { set: "set-1", at: Date.now() - 60_000 });
	await queries.invalidateQueries();
	const line = within(await screen.findByRole("region", { name: "Restore City GIS" }));
	expect(line.getByText("Step 1 of 4 of the restore")).toBeVisible();
	expect(line.queryByRole("button", { name: /^Next/ })).toBeNull();

	restored.set(null, imported);
	await queries.invalidateQueries();
	await user.click(await line.findByRole("button", { name: "Next: import gis.example.org/server…" }));
	await screen.findByText(/"page":"operation","site":"city","server":"server","key":"import_server","ofSet":/);
	await user.click(line.getByRole("button", { name: "All steps" }));
	await screen.findByText(/"page":"backup-set",.*"restore":true/);
});

test("a restore that is started over has no imports yet", async () => {
	const restores = new Map([["nightly", { set: "set-1", at: Date.now() - 60_000 }]]);
	const { user } = show({ restores });
	await user.click(await screen.findByRole("button", { name: "Start over" }));
	await vi.waitFor(() => expect(screen.queryByText(/^Begun /)).toBeNull());
	expect(screen.getAllByText("Not imported yet")).toHaveLength(4);
});
