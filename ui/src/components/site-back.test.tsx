import { screen, waitFor, within } from "@testing-library/react";
import type { OpenPart, ProofAbout, ProofLine, ProofState, SiteProof, SiteProofView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { seed } from "@/bridge/fake-backend/seed";
import { queryKeys } from "@/lib/queries/keys";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { BackAfterImport, KeptProof, WholeSite } from "./site-back";

const minute = 60_000;
const abouts: readonly ProofAbout[] = [
	"searchIndex",
	"federation",
	"services",
	"orphans",
	"answers",
	"signIn",
	"dataStores",
	"content",
];
const order: readonly ProofState[] = ["notYet", "notKnown", "wrong", "done"];

/** Result of a check that found everything as expected, except for the given lines. */
function proofWith(
	changes: Partial<Record<ProofAbout, Partial<ProofLine>>> = {},
	more: Partial<SiteProof> = {},
): SiteProof {
	const numbers: Record<ProofAbout, number> = {
		searchIndex: 340,
		federation: 3,
		services: 212,
		orphans: 500,
		answers: 4,
		signIn: 1,
		dataStores: 18,
		content: 0,
	};
	const lines = abouts
		.map((about): ProofLine => {
			const of = numbers[about];
			return { about, state: "done", done: of, of, open: [], more: 0, ...changes[about] };
		})
		.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
	return {
		checkedAt: Date.now(),
		state: lines[0]?.state ?? "notKnown",
		lines,
		versions: ["11.3"],
		isAsBefore: true,
		index: { items: 340, users: 28, groups: 9 },
		issuedAt: Date.now(),
		recoveryTime: null,
		...more,
	};
}

function open(state: ProofState, why: OpenPart["why"], name = "", server: string | null = null): Partial<ProofLine> {
	return { state, open: [{ state, server, name, why }] };
}

function show(view: Partial<SiteProofView>) {
	const { site, world: signedIn } = signedInSite();
	const world = { ...seed(), ...signedIn };
	const nothing = { import: null, importStartedAt: null, importEndedAt: null, isWaiting: false, nextAt: null };
	if (view.proof !== undefined)
		world.siteProofs.set(site.id, { site: site.id, ...nothing, proof: null, unknownImportAt: null, ...view });
	return { site, world };
}

const importing = { import: "r-1", importStartedAt: Date.now() - 28 * minute, importEndedAt: Date.now() - 6 * minute };

it("shows what a site still waits for after an import, and stops on request", async () => {
	const behind = { kind: "behind", indexed: 212, total: 340, left: 240 } as const;
	const proof = proofWith({
		searchIndex: { ...open("notYet", behind, "search"), done: 212 },
		orphans: open("notYet", { kind: "waitsFor", about: "searchIndex" }),
	});
	const { site, world } = show({ ...importing, proof, isWaiting: true, nextAt: Date.now() + minute });
	const { user } = renderWith(<BackAfterImport site={site} record="r-1" />, { world });

	expect(await screen.findByText("Still coming back, 6 min after the import")).toBeVisible();
	expect(screen.getByText("212 of 340 items indexed")).toBeVisible();
	expect(screen.getByText("At this pace about 4 min more")).toBeVisible();
	expect(screen.getByText("Waits for: Search index")).toBeVisible();
	expect(screen.getByText(/^28 min so far, from the start of the import at/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Stop checking" }));
	await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Stop checking" })).toBeNull());
	expect(world.siteProofs.get(site.id)?.nextAt).toBeNull();
});

it("has what the check wrote to the entry of the import read again", async () => {
	const { site, world } = show({ ...importing, proof: proofWith() });
	const { queries } = renderWith(<BackAfterImport site={site} record="r-1" />, { world });
	queries.setQueryData(queryKeys.portalReport("r-1"), null);

	await vi.waitFor(() => expect(queries.getQueryState(queryKeys.portalReport("r-1"))?.isInvalidated).toBe(true));
});

it("does not say that nothing responds where nothing was asked", async () => {
	const proof = proofWith({ answers: { ...open("notKnown", { kind: "signIn" }), done: 0, of: 3 } });
	const { site, world } = show({ ...importing, proof });
	renderWith(<BackAfterImport site={site} record="r-1" />, { world });

	expect(await screen.findByText("No user is signed in. Sign in to go on.")).toBeVisible();
	expect(screen.queryByText(/0 of 3/)).toBeNull();
});

it("counts in its headline only what is wrong, where warnings are left out of the list", async () => {
	const invalid = open("wrong", { kind: "invalid", message: "No" }, "/a").open ?? [];
	const warned = Array.from(
		{ length: 99 },
		(_, n) => open("done", { kind: "warned", message: "Old" }, `/b${n}`).open?.[0],
	);
	const parts = [...invalid, ...warned.filter((part) => part !== undefined)];
	const proof = proofWith({ dataStores: { state: "wrong", done: 150, of: 151, open: parts, more: 51 } });
	const { site, world } = show({ proof });
	renderWith(<WholeSite site={site} />, { world });

	expect(await screen.findByText("Back, but 1 data store item is not valid")).toBeVisible();
});

it("names a path once that the message of the server begins with", async () => {
	const invalid = { kind: "invalid", message: "/fileShares/zoning: the folder cannot be read" } as const;
	const proof = proofWith({ dataStores: { ...open("wrong", invalid, "/fileShares/zoning"), done: 0, of: 1 } });
	const { site, world } = show({ proof });
	renderWith(<WholeSite site={site} />, { world });

	expect(await screen.findByText("/fileShares/zoning: the folder cannot be read")).toBeVisible();
	expect(screen.getByText("0 of 1 item valid")).toBeVisible();
});

it("gives a reason once that holds for the portal and for a server", async () => {
	const both = [null, null].flatMap(() => open("notKnown", { kind: "signIn" }).open ?? []);
	const { site, world } = show({ proof: proofWith({ answers: { state: "notKnown", done: 0, of: 2, open: both } }) });
	renderWith(<WholeSite site={site} />, { world });

	expect(await screen.findByText("No user is signed in. Sign in to go on.")).toBeVisible();
});

it("gives a service that does not run the tone that it has in the list above", async () => {
	const { site, world } = show({
		proof: proofWith({ services: open("wrong", { kind: "notRunning", state: "FAILED" }, "Zoning.MapServer") }),
	});
	renderWith(<WholeSite site={site} />, { world });

	const card = await screen.findByRole("status", { name: /^Back, but 1 service is not running/ });
	expect(card.style.getPropertyValue("--notice-tone")).toBe("var(--tone-failed)");
});

it("names what the import did not bring", async () => {
	const missing = { kind: "notImported" } as const;
	const proof = proofWith({ content: open("wrong", missing, "Parcels/Zoning.MapServer") });
	const { site, world } = show({ ...importing, proof });
	renderWith(<BackAfterImport site={site} record="r-1" />, { world });

	expect(await screen.findByText("Back, but with 1 difference to the export")).toBeVisible();
	expect(screen.getByText(/^Parcels\/Zoning.MapServer: This service is in the export/)).toBeVisible();
});

it("does not call a site back by a check from before an import of unknown outcome", async () => {
	const at = Date.now() - minute;
	const { site, world } = show({ proof: proofWith(), unknownImportAt: at });
	renderWith(<WholeSite site={site} />, { world });

	expect(await screen.findByText("Not known whether the site is back")).toBeVisible();
	expect(screen.getByText(/^Not known, because an import began at .*, after this check\./)).toBeVisible();
	expect(screen.queryByText(/^Back/)).toBeNull();
});

it("says at most of a recovery time if the site was not checked shortly before", async () => {
	const proof = proofWith({}, { recoveryTime: 41 * minute, isAtMost: true });
	const { site, world } = show({ ...importing, proof });
	renderWith(<BackAfterImport site={site} record="r-1" />, { world });

	expect(await screen.findByText("Back after at most 41 min")).toBeVisible();
});

it("says the numbers of the items once as long as their pace is not known", async () => {
	const behind = { kind: "behind", indexed: 44, total: 313, left: null } as const;
	const proof = proofWith({ searchIndex: { ...open("notYet", behind, "search"), done: 44, of: 313 } });
	const { site, world } = show({ ...importing, proof, isWaiting: true, nextAt: Date.now() + minute });
	renderWith(<BackAfterImport site={site} record="r-1" />, { world });

	expect(await screen.findByText("44 of 313 items indexed")).toBeVisible();
	expect(screen.queryByText(/^Items: 44 of 313/)).toBeNull();
});

it("has the recovery time in the headline once the site is back, and folds what is as expected", async () => {
	const { site, world } = show({ ...importing, proof: proofWith({}, { recoveryTime: 41 * minute }) });
	const { user } = renderWith(<BackAfterImport site={site} record="r-1" />, { world });

	expect(await screen.findByText("Back after 41 min")).toBeVisible();
	expect(screen.getByText("340 items, 28 users, 9 groups, as in the database")).toBeVisible();
	expect(screen.getByText("212 of 212 running")).toBeVisible();
	expect(screen.getByText("None")).toBeVisible();
	expect(screen.queryByText("18 of 18 items valid")).toBeNull();
	expect(screen.queryByText(/from the start of the import/)).toBeNull();
	await user.click(screen.getByRole("button", { name: "4 more checks as expected, and facts of the import" }));
	expect(await screen.findByText("18 of 18 items valid")).toBeVisible();
	expect(screen.getByText(/^41 min, from the start of the import at/)).toBeVisible();
	expect(screen.getByText("4 of 4 respond, version 11.3 as before")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("names what is wrong with what to do, and opens an item without a service", async () => {
	const proof = proofWith({
		services: { ...open("wrong", { kind: "notRunning", state: "FAILED" }, "Parcels/Zoning.MapServer"), done: 211 },
		orphans: open("wrong", { kind: "noService", item: "i7" }, "Playgrounds", "gisapp01"),
	});
	const { site, world } = show({ proof });
	const backend = fakeBackend({ world });
	const { user } = renderWith(<WholeSite site={site} />, backend);

	expect(await screen.findByText("Back, but not as expected: Services and Orphans")).toBeVisible();
	expect(screen.getByText(/^Parcels\/Zoning\.MapServer: FAILED\. Start it on the server/)).toBeVisible();
	expect(screen.getByText(/^Playgrounds on gisapp01: The service of this item is missing/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Open item" }));
	expect(backend.happen.links).toContain(`${site.portal}/home/item.html?id=i7`);
});

it.each(abouts)("is never called back while %s is not known", async (about) => {
	const refused = { kind: "notReturned", message: "HTTP 403", mayPass: false } as const;
	const proof = proofWith({ [about]: { ...open("notKnown", refused), done: 0, of: 0 } });
	const { site, world } = show({ proof });
	renderWith(<WholeSite site={site} />, { world });

	expect(await screen.findByText("Not known whether the site is back")).toBeVisible();
	expect(screen.getByText("Not returned: HTTP 403")).toBeVisible();
	expect(screen.queryByText(/^Back/)).toBeNull();
});

it("says nothing of a site until it is read whether it was checked", async () => {
	const { site, world } = show({});
	const backend = fakeBackend({ world });
	let answer = (_: null) => {};
	const read = new Promise<null>((resolve) => (answer = resolve));
	const asked = vi.spyOn(backend, "siteProof").mockReturnValue(read);
	renderWith(<WholeSite site={site} />, backend);
	await waitFor(() => expect(asked).toHaveBeenCalled());
	expect(screen.queryByText(/^Not checked as a whole/)).toBeNull();
	answer(null);
	expect(await screen.findByText(/^Not checked as a whole/)).toBeVisible();
});

it("can be started from the overview at any time, and says before what it does", async () => {
	const { site, world } = show({});
	const { user } = renderWith(<WholeSite site={site} />, { world });

	expect(await screen.findByText(/^Not checked as a whole\. Checks services, search index/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Check the whole site" }));
	expect(await screen.findByText("Checking whether the site is back")).toBeVisible();
	expect(world.siteProofs.get(site.id)?.isWaiting).toBe(true);
});

it("does not show the check of a later import beside an earlier one", async () => {
	const { site, world } = show({ ...importing, import: "r-2", proof: proofWith() });
	renderWith(
		<>
			<BackAfterImport site={site} record="r-1" />
			<KeptProof proof={proofWith({}, { recoveryTime: minute })} />
		</>,
		{ world },
	);
	const kept = await screen.findByRole("status", { name: "Back after 1 min" });
	expect(within(kept).getByText("212 of 212 running")).toBeVisible();
	expect(screen.getAllByRole("status")).toHaveLength(1);
});
