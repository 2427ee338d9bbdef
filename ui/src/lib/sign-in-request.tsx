import { createContext, useContext } from "react";
import type { ServerSignIn, SiteId } from "@/bridge";

/** Without a server: at the portal of the site, or at the only server of a site without a portal. */
export type AskToSignIn = (site: SiteId, server?: ServerSignIn | null) => void;

/** Opens the sign-in over whatever is on screen, so that a half-filled form stays as it is. */
export const SignInRequestContext = createContext<AskToSignIn>(() => {});

export function useSignInRequest(): AskToSignIn {
	return useContext(SignInRequestContext);
}
