import { hashKey } from "@tanstack/react-query";
import type { SiteForm } from "@/bridge";

/** What was typed, and what the site was when that began. */
export interface SiteDraft {
	base: SiteForm;
	typed: SiteForm;
}

interface OnTop<T> {
	/** As it is now, except where a field was changed on both sides. */
	base: T;
	/** As it is now, except where it was changed here. */
	typed: T;
	/** Whether a field was changed here, and elsewhere to something else. */
	clashes: boolean;
}

/** What was changed here, field by field, on top of what the site is now. Where both changed, what was typed stays. */
export function onTopOf({ base, typed }: SiteDraft, current: SiteForm): OnTop<SiteForm> {
	const { connection: connectionThen, ...then } = base;
	const { connection: connectionHere, ...here } = typed;
	const { connection: connectionNow, ...now } = current;
	const fields = fieldsOnTop(then, here, now);
	const connection = fieldsOnTop(connectionThen, connectionHere, connectionNow);
	return {
		base: { ...fields.base, connection: connection.base },
		typed: { ...fields.typed, connection: connection.typed },
		clashes: fields.clashes || connection.clashes,
	};
}

function fieldsOnTop<T extends object>(base: T, typed: T, current: T): OnTop<T> {
	const result: OnTop<T> = { base: { ...current }, typed: { ...current }, clashes: false };
	for (const name of Object.keys(typed) as (keyof T)[]) {
		if (same(typed[name], base[name]) || same(typed[name], current[name])) continue;
		result.typed[name] = typed[name];
		if (same(current[name], base[name])) continue;
		result.base[name] = base[name];
		result.clashes = true;
	}
	return result;
}

/** In whatever order the properties are. */
const same = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);
