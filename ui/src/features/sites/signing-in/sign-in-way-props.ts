import type { ServerSignIn, SessionView, SiteView } from "@/bridge";

export interface SignInWayProps {
	site: SiteView;
	/** Server whose own account is used; `null` for the portal, or for the server of a site without a portal. */
	server: ServerSignIn | null;
	onSignedIn: (session: SessionView) => Promise<void>;
}
