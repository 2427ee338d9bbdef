import { createContext, useContext } from "react";
import type { SiteId } from "@/bridge";

/** Opens the sign-in over whatever is on screen, so that a half-filled form stays as it is. */
export const SignInRequestContext = createContext<(site: SiteId) => void>(() => {});

export function useSignInRequest(): (site: SiteId) => void {
	return useContext(SignInRequestContext);
}
