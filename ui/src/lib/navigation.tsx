import {
	createContext,
	type ReactNode,
	type RefObject,
	useCallback,
	useContext,
	useMemo,
	useRef,
	useState,
} from "react";
import type { SiteId, SiteView } from "@/bridge";
import { usePreferences } from "./preferences";
import { useSites } from "./queries/program";
import { atServer } from "./target";
import { useRememberServer } from "./use-remember-server";
import {
	type Brought,
	canMove,
	firstVisit,
	goTo,
	move as moveBy,
	type Place,
	take,
	visitNow,
	withoutSite,
} from "./visits";

export type { Brought, Place } from "./visits";

interface Navigation {
	/** Another object at each visit, and the same one again after Back. */
	place: Place;
	/** The site whose color and operations are shown, on pages that belong to no site as well; at the server of the place. */
	site: SiteView | null;
	/** What the person brought along to this place. It stays with the visit, also after Back. */
	brought: Brought | null;
	/** Whether the form has it already. */
	isTaken: boolean;
	take: () => void;
	go: (place: Place, brought?: Brought) => void;
	/** `null` when there is no visit before, or after, this one. */
	back: (() => void) | null;
	forward: (() => void) | null;
	/** The last move, until the page that it leads to has taken the focus. */
	move: RefObject<Move | null>;
	/** After a site was removed: nothing may point at it any longer. */
	leave: (site: SiteId) => void;
}

export interface Move {
	readonly from: Place;
	/** What had the focus. */
	readonly focused: Element | null;
}

const NavigationContext = createContext<Navigation | null>(null);

export function NavigationProvider({ children }: { children: ReactNode }) {
	const { preferences, change } = usePreferences();
	const rememberServer = useRememberServer();
	const last = preferences.lastSite;
	const [visits, setVisits] = useState(() =>
		firstVisit(last === null ? { page: "sites" } : { page: "overview", site: last }),
	);
	const { place, brought, isTaken } = visitNow(visits);
	// A page's own site goes before what is remembered: the name at the top must be that of what the page changes.
	const id = "site" in place ? place.site : last;
	const saved = useSites().data?.find((one) => one.id === id);
	const server = place.page === "operation" ? place.server : null;
	const site = useMemo(() => (saved ? atServer(saved, server) : null), [saved, server]);

	const remember = useCallback(
		(next: Place) => {
			if ("site" in next) change({ lastSite: next.site });
			if (next.page === "operation") rememberServer(next);
		},
		[change, rememberServer],
	);
	const here = useRef(place);
	here.current = place;
	const lastMove = useRef<Move | null>(null);
	const noteMove = useCallback(() => {
		lastMove.current = { from: here.current, focused: document.activeElement };
	}, []);
	const go = useCallback(
		(next: Place, brings: Brought | null = null) => {
			noteMove();
			setVisits((now) => goTo(now, next, brings));
			remember(next);
		},
		[remember, noteMove],
	);
	const leave = useCallback(
		(gone: SiteId) => {
			if (id === gone) change({ lastSite: null });
			setVisits((now) => withoutSite(now, gone));
		},
		[id, change],
	);

	const navigation = useMemo((): Navigation => {
		const by = (step: -1 | 1) => {
			const next = moveBy(visits, step);
			noteMove();
			setVisits(next);
			remember(visitNow(next).place);
		};
		return {
			place,
			site,
			brought,
			isTaken,
			take: () => setVisits(take),
			go,
			back: canMove(visits, -1) ? () => by(-1) : null,
			forward: canMove(visits, 1) ? () => by(1) : null,
			move: lastMove,
			leave,
		};
	}, [visits, place, site, brought, isTaken, go, leave, remember, noteMove]);
	return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

export function useNavigation(): Navigation {
	const navigation = useContext(NavigationContext);
	if (!navigation) throw new Error("useNavigation needs a NavigationProvider above it");
	return navigation;
}
