import type { OperationKey, SessionView, SiteView } from "@/bridge";
import { usePreferences } from "@/lib/preferences";
import { useConcerns } from "@/lib/use-concerns";

/** What wants attention at an operation: how many, or only that something does, and why. */
export interface Attention {
	count: number | null;
	why: string;
}

/** What wants attention on a site, by operation. Nothing when the person wants no marks. */
export function useAttention(site: SiteView, session: SessionView | null): Partial<Record<OperationKey, Attention>> {
	const { preferences } = usePreferences();
	const concerns = useConcerns(site, session);
	const attention: Partial<Record<OperationKey, Attention>> = {};
	if (!preferences.reminders) return attention;
	for (const { operation, count, words } of concerns) {
		if (operation === null) continue;
		const before = attention[operation];
		attention[operation] = before
			? { count: (before.count ?? 0) + (count ?? 0), why: `${before.why} ${words}` }
			: { count, why: words };
	}
	return attention;
}
