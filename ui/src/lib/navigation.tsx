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
import type { OperationKey, Problem, ServerSignIn, SiteId, SiteView, Target } from "@/bridge";
import { usePreferences } from "./preferences";
import { useSites } from "./queries/program";
import { useRunStore } from "./runs";
import { atServer } from "./target";
import { useRememberServer } from "./use-remember-server";
import {
	type Brought,
	canMove,
	firstVisit,
	goTo,
	move as moveBy,
	type Place,
	type SetOfPlan,
	take,
	visitNow,
	withoutSite,
} from "./visits";

export type { Brought, Place } from "./visits";

interface Navigation {
	/** A new object for each visit; the same object again after Back. */
	place: Place;
	/**
	 * Site whose color and operations are shown, also on pages without a site, with the server of the place as the
	 * current one.
	 */
	site: SiteView | null;
	/** Form values passed to `go` for this visit; `null` if there are none. Still there after Back. */
	brought: Brought | null;
	/** Whether the form has been filled in with `brought`. */
	isTaken: boolean;
	take: () => void;
	go: (place: Place, brought?: Brought) => void;
	/** Whether a visit is still the current one, for commands that navigate when they end. */
	isAt: (place: Place) => boolean;
	/** `null` if there is no earlier, or no later, visit. */
	back: (() => void) | null;
	forward: (() => void) | null;
	/** Last navigation, until the new page has taken the focus. */
	move: RefObject<Move | null>;
	/** Removes all visits to a deleted site. */
	leave: (site: SiteId) => void;
}

export interface Move {
	readonly from: Place;
	/** Element that had the focus before. */
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
	// A page's own site takes precedence over the last one: the name in the top bar must be that of the site that the
	// page changes.
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
	const isAt = useCallback((visit: Place) => here.current === visit, []);
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
			isAt,
			back: canMove(visits, -1) ? () => by(-1) : null,
			forward: canMove(visits, 1) ? () => by(1) : null,
			move: lastMove,
			leave,
		};
	}, [visits, place, site, brought, isTaken, go, isAt, leave, remember, noteMove]);
	return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

export function useNavigation(): Navigation {
	const navigation = useContext(NavigationContext);
	if (!navigation) throw new Error("useNavigation needs a NavigationProvider above it");
	return navigation;
}

/**
 * Opens the sign-in dialog. Without a server, it is for the portal, or for the only server of a site without a portal.
 */
export type AskToSignIn = (site: SiteId, server?: ServerSignIn | null) => void;

/** Opens the sign-in as a dialog over the page, so that a half-filled form is kept. */
export const SignInRequestContext = createContext<AskToSignIn>(() => {});

export function useSignInRequest(): AskToSignIn {
	return useContext(SignInRequestContext);
}

/** Site whose sign-in the page already requests, in a notice at the top or a form; `null` if it requests none. */
export const EndedSessionContext = createContext<SiteId | null>(null);

/** Whether the page already requests the sign-in of a problem. */
export function useIsAskedAbove(problem: Problem): boolean {
	const site = useContext(EndedSessionContext);
	return problem.kind === "signIn" && problem.server === null && problem.site === site;
}

/**
 * Returns a function that opens an operation page with values for its form. An earlier result on that page is cleared.
 */
export function useBring(): (target: Target, key: OperationKey, brought: Brought, ofSet?: SetOfPlan) => void {
	const { go } = useNavigation();
	const runs = useRunStore();
	return (target, key, brought, ofSet) => {
		runs.reset(key, target);
		go({ page: "operation", ...target, key, ...(ofSet ? { ofSet } : {}) }, brought);
	};
}

interface BroughtHere {
	/**
	 * Form values passed to `go` for this visit; `null` if there are none. Unlike `toFill`, kept after the form has been
	 * filled in.
	 */
	brought: Brought | null;
	/** The same values, or `null` once the form has been filled in. */
	toFill: Brought | null;
	/** Marks the values as filled in. */
	take: () => void;
}

export function useBrought(site: SiteId, key: OperationKey): BroughtHere {
	const { place, brought, isTaken, take } = useNavigation();
	const isHere = place.page === "operation" && place.site === site && place.key === key;
	const here = isHere ? brought : null;
	return { brought: here, toFill: isTaken ? null : here, take };
}
