import type { BackupPlan, ReceiptView, RehearsalStep, RehearsalView, SiteId } from "../bindings";
import type { Doings } from "./answer";
import { savedFile } from "./dialogs";
import { note } from "./history";
import { setIn, stepOf } from "./plans";
import { found, unexpected } from "./problems";
import { siteIn, type World } from "./world";

/** Rehearsals on a test site. A test puts the findings of the backend into the world. */
export function rehearsing(world: World) {
	const begunOn = (site: SiteId) => found(world.rehearsals, (one) => one.site === site, `rehearsal on ${site}`);
	const planOf = (id: string): BackupPlan => found(world.plans, ({ plan }) => plan.id === id, `plan ${id}`).plan;

	function viewOf(plan: string, set: string, site: SiteId): RehearsalView {
		const { environment, portal, servers } = siteIn(world, site);
		const on = world.rehearsals.find((one) => one.site === site) ?? null;
		const begun = on?.plan === plan && on.set === set ? on : null;
		const { set: stored } = setIn(world, plan, set);
		const inOrder = stored.parts.toSorted((one, other) => Number(one.server !== null) - Number(other.server !== null));
		const steps = inOrder.map((part, place): RehearsalStep => {
			const onto = part.server === null ? null : (servers[place - 1]?.id ?? null);
			const copied = stepOf(world, part, null);
			const isSkipped = begun?.skipped.includes(part.server) ?? false;
			const state = copied.copy.kind === "none" ? "notPossible" : isSkipped ? "skipped" : "open";
			const ontoUrl = (part.server === null ? portal : servers[place - 1]?.address) ?? "";
			return {
				part: copied,
				onto,
				ontoUrl,
				back: null,
				isNext: false,
				state,
				...world.rehearsalSteps.get(part.server),
			};
		});
		const next = begun ? steps.find(({ state }) => state === "open") : undefined;
		if (next) next.isNext = true;
		return {
			begun,
			other: begun === null ? on : null,
			site: stored.site,
			siteName: stored.siteName,
			setStarted: stored.started,
			refused: environment === "test" ? null : { kind: "preconditionFailed", why: { kind: "notATestSite" } },
			differences: world.differences,
			steps,
			verdict: "incomplete",
		};
	}

	return {
		rehearsals: () => world.rehearsals,
		rehearsal: viewOf,
		beginRehearsal: (plan, set, site) => {
			const { refused } = viewOf(plan, set, site);
			if (refused) throw refused;
			if (world.rehearsals.some((one) => one.site === site)) return null;
			const begun = { id: `rehearsal-${site}`, plan, set, site, at: Date.now(), servers: [], skipped: [] };
			world.rehearsals = [...world.rehearsals, begun];
			return null;
		},
		openRehearsalStep: (site, server) => {
			const { plan, set } = begunOn(site);
			const step = found(viewOf(plan, set, site).steps, ({ part }) => part.server === server, "step");
			if (!step.isNext) throw unexpected("another step of the rehearsal comes first");
			const { copy } = step.part;
			if (copy.kind === "onPortal") return { kind: "portal", location: copy.location };
			if (copy.kind === "none" || step.onto === null) throw unexpected("the step has nothing to import");
			const path = `${setIn(world, plan, set).folder}/${copy.name}`;
			world.droppedFiles.add(path);
			return { kind: "server", server: step.onto, file: { path, name: copy.name, kind: "siteFile" } };
		},
		skipRehearsalStep: (site, server, isSkipped) => {
			const begun = begunOn(site);
			const others = begun.skipped.filter((one) => one !== server);
			const skipped = isSkipped ? [...others, server] : others;
			world.rehearsals = world.rehearsals.map((one) => (one === begun ? { ...one, skipped } : one));
			return null;
		},
		endRehearsal: (site) => {
			const { id, plan, set, at } = begunOn(site);
			const view = viewOf(plan, set, site);
			world.rehearsals = world.rehearsals.filter((one) => one.site !== site);
			if (view.steps.every(({ part }) => part.import === null)) return null;
			const entry = note(world, siteIn(world, site), "rehearse", { outcome: "warnings" });
			const receipt: ReceiptView["receipt"] = {
				rehearsal: id,
				verdict: view.verdict,
				plan,
				planName: planOf(plan).name,
				set,
				setSha256: "d".repeat(64),
				setStarted: view.setStarted,
				site: view.site,
				siteName: view.siteName,
				testSite: site,
				testSiteName: entry.siteName,
				began: at,
				ended: Date.now(),
				recoveryTime: null,
				differences: view.differences,
				parts: view.steps.map(({ part, ontoUrl, state, back }) => ({
					server: part.server,
					name: part.name,
					file: part.copy.kind === "here" ? part.copy.name : part.copy.kind === "onPortal" ? part.copy.location : "",
					size: part.copy.kind === "none" ? null : part.copy.size,
					sha256: part.server === null ? null : "a".repeat(64),
					ontoUrl,
					state,
					import: part.import,
					back,
				})),
				notTried: ["dataStores", "caches", "administrator", "adaptors", "urls"],
				head: "4812 7d20",
			};
			const putBack = view.steps
				.toReversed()
				.flatMap(({ part, ontoUrl }) =>
					part.import === null
						? []
						: [{ name: part.name, ontoUrl, import: part.import.record, canUndo: true, undoneBy: null }],
				);
			world.receipts.set(entry.id, { receipt, username: "gisadmin", computer: "gis-desk", putBack });
			return entry.id;
		},
		forgetRehearsal: (site) => {
			world.rehearsals = world.rehearsals.filter((one) => one.site !== site);
			return null;
		},
		rehearsalReceipt: (record) => {
			const receipt = world.receipts.get(record);
			if (!receipt) throw unexpected("this entry is no receipt of a rehearsal");
			return receipt;
		},
		saveRehearsalReceipt: (record, format) => savedFile(world, `receipt-${record}.${format}`, 21_300),
	} satisfies Partial<Doings>;
}
