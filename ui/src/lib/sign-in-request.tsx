import { createContext, useContext } from "react";
import type { Problem, ServerSignIn, SiteId } from "@/bridge";

/**
 * Opens the sign-in dialog. Without a server, it is for the portal, or for the only server of a site without a portal.
 */
export type AskToSignIn = (site: SiteId, server?: ServerSignIn | null) => void;

/** Opens the sign-in as a dialog over the page, so that a half-filled form is kept. */
export const SignInRequestContext = createContext<AskToSignIn>(() => {});

export function useSignInRequest(): AskToSignIn {
	return useContext(SignInRequestContext);
}

/**
 * Site for which a notice at the top requests a sign-in because its session ended; `null` if there is no such notice.
 */
export const EndedSessionContext = createContext<SiteId | null>(null);

/** Whether a notice at the top already requests the sign-in of a problem. */
export function useIsAskedAbove(problem: Problem): boolean {
	const site = useContext(EndedSessionContext);
	return problem.kind === "signIn" && problem.server === null && problem.site === site;
}
