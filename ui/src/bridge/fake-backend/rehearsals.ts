import type { RehearsalStep, RehearsalView, SiteId } from "../bindings";
import type { Doings } from "./answer";
import { savedFile } from "./dialogs";
import { inOrder, setIn, stepOf } from "./plans";
import { found, there, unexpected } from "./problems";
import { siteIn, type World } from "./world";

/** Rehearsals on a test site. A test puts the findings of the backend into the world. */
export function rehearsing(world: World) {
	const begunOn = (site: SiteId) => found(world.rehearsals, (one) => one.site === site, `rehearsal on ${site}`);

	function viewOf(plan: string, set: string, site: SiteId): RehearsalView {
		const { environment, portal, servers } = siteIn(world, site);
		const on = world.rehearsals.find((one) => one.site === site) ?? null;
		const begun = on?.plan === plan && on.set === set ? on : null;
		const { set: stored } = setIn(world, plan, set);
		const steps = inOrder(stored.parts).map((part, place): RehearsalStep => {
			const onto = part.server === null ? null : servers[place - 1];
			const copied = { ...stepOf(world, part), import: null };
			const isSkipped = begun?.skipped.includes(part.server) ?? false;
			return {
				part: copied,
				onto: onto?.id ?? null,
				ontoUrl: (onto === null ? portal : onto?.address) ?? "",
				back: null,
				isNext: false,
				state: copied.copy.kind === "none" ? "notPossible" : isSkipped ? "skipped" : "open",
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
			begunOn(site);
			world.rehearsals = world.rehearsals.filter((one) => one.site !== site);
			return [...world.receipts.keys()].at(-1) ?? null;
		},
		forgetRehearsal: (site) => {
			world.rehearsals = world.rehearsals.filter((one) => one.site !== site);
			return null;
		},
		rehearsalReceipt: (record) => there(world.receipts.get(record), `receipt ${record}`),
		saveRehearsalReceipt: (record, format) => savedFile(world, `receipt-${record}.${format}`, 21_300),
	} satisfies Partial<Doings>;
}
