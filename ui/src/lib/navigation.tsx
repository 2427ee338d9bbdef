import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import type { Key, Parameter, RecordId, SiteId } from "@/bridge";
import type { HelpTopic } from "./help";
import { usePreferences } from "./preferences";

export type Place =
	| { page: "sites" }
	| { page: "add-site" }
	/** `copy`: a new site that begins as this one. */
	| { page: "edit-site"; site: SiteId; copy?: true }
	| { page: "overview"; site: SiteId }
	/**
	 * `from`: the record to fill the form from; `fill`: parameters by their names in the request. See `LastSent`.
	 * `narrow`: searches for what was filled in at once, and shows of it what has these words; empty for all of it.
	 * `report`: where the report is that wants it.
	 */
	| {
			page: "operation";
			site: SiteId;
			key: Key;
			from?: RecordId;
			fill?: readonly Parameter[];
			narrow?: string;
			report?: Place;
	  }
	/** The mishaps of a practice site, and its reset. */
	| { page: "practice"; site: SiteId }
	/** `record`: the one to show at once; `check`: looks at once at what became of it; `report`: at its report. */
	| { page: "history"; record?: RecordId; check?: true; report?: true }
	| { page: "settings" }
	/** `from`: where the way back leads. */
	| { page: "help"; topic: HelpTopic; from?: Place | undefined };

interface Navigation {
	place: Place;
	/** The site whose colour and operations are shown, on pages that belong to no site as well. */
	site: SiteId | null;
	go: (place: Place) => void;
	/** After a site was removed: nothing may point at it any longer. */
	leave: (site: SiteId) => void;
}

const NavigationContext = createContext<Navigation | null>(null);

export function NavigationProvider({ children }: { children: ReactNode }) {
	const { preferences, change } = usePreferences();
	const last = preferences.lastSite;
	const [place, setPlace] = useState<Place>(() =>
		last === null ? { page: "sites" } : { page: "overview", site: last },
	);
	// A page's own site goes before what is remembered: the name at the top must be that of what the page changes.
	const site = "site" in place ? place.site : last;

	const remember = useCallback((next: SiteId | null) => change({ lastSite: next }), [change]);
	const go = useCallback(
		(next: Place) => {
			setPlace(next);
			if ("site" in next) remember(next.site);
		},
		[remember],
	);
	const leave = useCallback(
		(gone: SiteId) => {
			if (site === gone) remember(null);
			setPlace((at) => ("site" in at && at.site === gone ? { page: "sites" } : at));
		},
		[site, remember],
	);

	const navigation = useMemo(() => ({ place, site, go, leave }), [place, site, go, leave]);
	return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

export function useNavigation(): Navigation {
	const navigation = useContext(NavigationContext);
	if (!navigation) throw new Error("useNavigation needs a NavigationProvider above it");
	return navigation;
}
