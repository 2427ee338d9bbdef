import { createContext, useContext } from "react";
import type { Problem, ServerSignIn, SiteId } from "@/bridge";

/** Without a server: at the portal of the site, or at the only server of a site without a portal. */
export type AskToSignIn = (site: SiteId, server?: ServerSignIn | null) => void;

/** Opens the sign-in over whatever is on screen, so that a half-filled form stays as it is. */
export const SignInRequestContext = createContext<AskToSignIn>(() => {});

export function useSignInRequest(): AskToSignIn {
	return useContext(SignInRequestContext);
}

/** The site of which a notice above asks for a sign-in, as its session has ended; `null` if none does. */
export const EndedSessionContext = createContext<SiteId | null>(null);

/** Whether a problem asks for a sign-in that a notice above asks for already. */
export function useIsAskedAbove(problem: Problem): boolean {
	const site = useContext(EndedSessionContext);
	return problem.kind === "signIn" && problem.server === null && problem.site === site;
}
