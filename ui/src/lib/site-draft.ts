import { hashKey } from "@tanstack/react-query";
import type { SiteForm } from "@/bridge";

/** Unsaved input of a site form, with the site as it was when editing began. */
export interface SiteDraft {
	base: SiteForm;
	typed: SiteForm;
}

interface OnTop<T> {
	/** Current values, except fields that changed on both sides. */
	base: T;
	/** Current values with the user's changes on top. */
	typed: T;
	/** Whether a field was changed here and, to another value, elsewhere. */
	clashes: boolean;
}

/**
 * Applies the user's changes, field by field, to the current site. If both sides changed a field, the user's value
 * stays.
 */
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

/** Compares regardless of the order of properties. */
const same = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);
