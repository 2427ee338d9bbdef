import type { PartState, PlanView, SetView, SiteView } from "@/bridge";

const day = 86_400_000;

/** Returns a nightly plan with the portal and the servers of a site, whose exports are verified. */
export function planOf(site: SiteView, change: Partial<PlanView> = {}): PlanView {
	const now = Date.now();
	const servers = site.servers.flatMap(({ id }) => (id === null ? [] : [{ kind: "server" as const, server: id }]));
	return {
		plan: {
			id: "nightly",
			site: site.id,
			name: "Nightly",
			isEnabled: true,
			since: now - 30 * day,
			enabledSince: now - 30 * day,
			parts: [{ kind: "portal", location: "D:\\portal-exports", seenAt: null, store: null }, ...servers],
			schedule: {
				days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
				times: [{ hour: 2, minute: 30 }],
				skipMissed: false,
			},
			folder: "/backups/nightly",
			deleteStored: true,
			keep: { last: 3, daily: null, weekly: null, monthly: null, withinDays: null },
			rehearseEvery: null,
			alerts: [],
		},
		state: { kind: "verified", at: now - day / 2 },
		next: [1, 2, 3].map((days) => now + days * day),
		hasSchedule: true,
		last: {
			at: now - day / 2,
			took: 3_840,
			verdict: "asExpected",
			fault: null,
			folder: "/backups/nightly/1",
			note: "",
			parts: [],
			refused: null,
			sessionEnd: null,
		},
		verified: now - day / 2,
		rehearsed: null,
		...change,
	};
}

/**
 * Returns the backup set of a run this number of days ago. The portal export is stored on the site. `states`: of the
 * server exports, if not verified.
 */
export function setOf({ plan }: PlanView, daysAgo: number, states: readonly PartState[] = []): SetView {
	const started = Date.now() - daysAgo * day;
	const name = `set-${daysAgo}`;
	let place = 0;
	const parts = plan.parts.map((part): SetView["set"]["parts"][number] => {
		if (part.kind === "portal") {
			const files = [{ name: "City GIS portal.inventory.json", size: 900, sha256: "b".repeat(64) }];
			const state = { kind: "onSite" as const, size: null };
			return {
				server: null,
				name: "City GIS",
				expected: "onSite",
				state,
				record: "r-0",
				files,
				portalFile: null,
				usualSize: null,
			};
		}
		const state = states[place++] ?? { kind: "verifiedHere" as const };
		const files =
			state.kind === "verifiedHere"
				? [{ name: `${part.server} ${name}.agssite`, size: 1_240_000_000, sha256: "a".repeat(64) }]
				: [];
		const { server } = part;
		return {
			server,
			name: server,
			expected: "verifiedHere",
			state,
			record: "r-1",
			files,
			portalFile: null,
			usualSize: null,
		};
	});
	const isWell = parts.every(({ state }) => state.kind === "verifiedHere" || state.kind === "onSite");
	return {
		name,
		folder: `${plan.folder}/${name}`,
		set: {
			program: "site-steward",
			plan: plan.id,
			planName: plan.name,
			site: plan.site,
			siteName: "City GIS",
			scheduled: started,
			started,
			ended: started + 34 * 60_000,
			parts,
			isPinned: false,
		},
		verdict: isWell ? "asExpected" : "failed",
		size: parts.flatMap(({ files }) => files).reduce((all, { size }) => all + size, 0),
		fate: { kind: "kept", reasons: [{ kind: "last", number: daysAgo }] },
		notRemoved: null,
		rehearsed: null,
	};
}
