import type { ServerSignIn, SessionView, SiteView } from "@/bridge";

/** What every way to sign in gets. */
export interface SignInWayProps {
	site: SiteView;
	/** The server whose own account is used; `null`: the portal, or the server of a site without a portal. */
	server: ServerSignIn | null;
	onSignedIn: (session: SessionView) => Promise<void>;
}
