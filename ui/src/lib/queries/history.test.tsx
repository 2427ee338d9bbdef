import { waitFor } from "@testing-library/react";
import { type HistoryBatch, type HistoryEntry, type HistoryPlace, newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { anything, pastOf } from "@/test/past";
import { renderWith, signedInSite } from "@/test/render";
import { useStale } from "../use-command";
import { useHistory, useImportReport } from "./history";
import { useSetSearch } from "./plans";

const { site, world } = signedInSite();

test("a batch is on a page of the history once, however often the page is read again", async () => {
	const backend = fakeBackend({ world });
	await backend.exportPortal(site.id, newRun("r"), {
		target: { kind: "folder", location: "/srv" },
		checkOnly: false,
	});
	const [exported] = (await pastOf(backend)) as [HistoryEntry];
	const batch: HistoryBatch = { id: "b", size: 3, outcomes: [] };
	const older = { startedAt: 1, id: "older" } as unknown as HistoryPlace;
	const read = vi.fn(async () => ({ entries: [exported], batches: [batch], damaged: [], older }));
	backend.searchHistory = read;
	let history: ReturnType<typeof useHistory> | undefined;
	function Reads() {
		history = useHistory(anything());
		return null;
	}
	renderWith(<Reads />, backend);
	await waitFor(() => expect(history?.data).toBeDefined());
	for (let times = 0; times < 4; times += 1) await history?.refetch();
	const last = await history?.refetch();
	expect(read).toHaveBeenCalledTimes(6);
	expect(last?.data?.pages[0]?.batches).toHaveLength(1);
});

/** Expects that a query is read, and read again after it became stale. */
async function readsAgain(
	useReads: () => unknown,
	command: "importReport" | "searchSets",
	makeStale: (stale: ReturnType<typeof useStale>) => unknown,
) {
	const backend = fakeBackend({ world });
	const read = vi.fn(async () => []);
	Object.assign(backend, { [command]: read });
	let stale: ReturnType<typeof useStale> | undefined;
	function All() {
		stale = useStale();
		useReads();
		return null;
	}
	renderWith(<All />, backend);
	await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
	if (stale) await makeStale(stale);
	expect(read).toHaveBeenCalledTimes(2);
}

test("the report of an import is read again after a later check of its services", () =>
	readsAgain(
		() => useImportReport("r1"),
		"importReport",
		(stale) => stale("checkServicesAgain", "r1"),
	));

test("what was found in sets is searched again after a plan of the site has changed", () =>
	readsAgain(
		() => useSetSearch(site.id, "parcels"),
		"searchSets",
		(stale) => stale("savePlan", site.id),
	));
