import { hashKey } from "@tanstack/react-query";
import type { ServerForm, SiteForm } from "@/bridge";

/** What was typed, and what the site was when that began. */
export interface SiteDraft {
	base: SiteForm;
	typed: SiteForm;
}

/** A field that was changed here, and elsewhere to something else. */
export interface Clash {
	/** Its path in the form, as in `connection.route` or `servers.0.address`. */
	field: string;
	current: unknown;
}

interface Merged<T> {
	/** As it is now, except where the two clash. */
	base: T;
	/** As it is now, except where it was changed here. */
	typed: T;
	clashes: Clash[];
}

type Merge<T> = (base: T, typed: T, current: T, field: string) => Merged<T>;

/** What was changed here, on top of what the site is now. Where both changed, what was typed stays. */
export function mergeSiteForm({ base, typed }: SiteDraft, current: SiteForm): Merged<SiteForm> {
	return mergeFields(base, typed, current, "", {
		connection: (...three) => mergeFields(...three, { trustedCertificates: mergeSets }),
		servers: mergeServers,
	});
}

/** In whatever order the properties are. */
const same = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);

function mergeValue<T>(base: T, typed: T, current: T, field: string): Merged<T> {
	if (same(typed, base)) return { base: current, typed: current, clashes: [] };
	if (same(current, base) || same(current, typed)) return { base: current, typed, clashes: [] };
	return { base, typed, clashes: [{ field, current }] };
}

function mergeFields<T extends object>(
	base: T,
	typed: T,
	current: T,
	field: string,
	own: { [K in keyof T]?: Merge<T[K]> } = {},
): Merged<T> {
	const merged: Merged<T> = { base: { ...base }, typed: { ...typed }, clashes: [] };
	for (const name of Object.keys(typed) as (keyof T & string)[]) {
		const merge: Merge<T[typeof name]> = own[name] ?? mergeValue;
		const one = merge(base[name], typed[name], current[name], field === "" ? name : `${field}.${name}`);
		merged.base[name] = one.base;
		merged.typed[name] = one.typed;
		merged.clashes.push(...one.clashes);
	}
	return merged;
}

/** What was added or removed on one side is so on both: there is nothing to clash. */
function mergeSets<T>(base: T[], typed: T[], current: T[]): Merged<T[]> {
	const isIn = (list: T[], one: T) => list.some((other) => same(one, other));
	const kept = current.filter((one) => isIn(typed, one) || !isIn(base, one));
	const added = typed.filter((one) => !isIn(base, one) && !isIn(current, one));
	return { base: current, typed: [...kept, ...added], clashes: [] };
}

/** A new one has no id before it is saved. */
function mergeServers(
	base: ServerForm[],
	typed: ServerForm[],
	current: ServerForm[],
	field: string,
): Merged<ServerForm[]> {
	const find = (list: ServerForm[], { id }: ServerForm) =>
		id === null ? undefined : list.find((other) => other.id === id);
	const merged: Merged<ServerForm[]> = { base: [], typed: [], clashes: [] };
	/** Changed here, removed elsewhere. */
	const gone: ServerForm[] = [];
	for (const server of typed) {
		const [was, now] = [find(base, server), find(current, server)];
		if (now) {
			const one = mergeFields(was ?? now, server, now, `${field}.${merged.typed.length}`);
			merged.base.push(one.base);
			merged.typed.push(one.typed);
			merged.clashes.push(...one.clashes);
		} else if (!was || !same(server, was)) {
			merged.typed.push(server);
			if (!was) continue;
			merged.base.push(was);
			gone.push(server);
		}
	}
	/** Removed here, changed elsewhere. */
	const back: ServerForm[] = [];
	for (const now of current.filter((one) => one.id !== null && !find(typed, one))) {
		const was = find(base, now);
		merged.base.push(was ?? now);
		if (!was) merged.typed.push(now);
		else if (!same(was, now)) back.push(now);
	}
	if (gone.length + back.length > 0) {
		const left = merged.typed.filter((one) => !gone.includes(one));
		merged.clashes.push({ field, current: [...left, ...back] });
	}
	return merged;
}
