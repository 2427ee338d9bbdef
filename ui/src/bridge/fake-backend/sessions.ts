import {
	type OperationAvailability,
	type OperationKey,
	operations,
	type Problem,
	type SessionView,
	type SiteId,
	type SiteView,
	type UnavailableReason,
} from "../bindings";
import type { Doings } from "./answer";
import { note } from "./history";
import { wire } from "./operations";
import { refused, signInAt } from "./problems";
import { isPractice, siteIn, type World } from "./world";

function obstacle(role: string, key: OperationKey): UnavailableReason[] {
	const { needs } = wire[key];
	const suffices = role === "administrator" || (role === "publisher" && needs === "publisher");
	return suffices ? [] : [{ kind: "role", needs }];
}

/** Names by which portals identify roles. */
const names: Record<string, string> = { administrator: "org_admin", publisher: "org_publisher", viewer: "org_viewer" };

/** Returns a session with the operations that the role permits. */
export function openSession(site: SiteView, username: string, role: string, version = "11.3"): SessionView {
	return {
		site: site.id,
		server: site.currentServer,
		username,
		role: names[role] ?? role,
		portalVersion: site.portal ? version : null,
		serverVersion: site.server ? version : null,
		expiresAt: Date.now() + 60 * 60_000,
		operations: operations.map(
			({ key }): OperationAvailability => ({ operation: key, reasons: obstacle(role, key), parameters: [] }),
		),
	};
}

export function enterAs(world: World, site: SiteView, username: string, role: string): SessionView {
	const session = openSession(site, username, role);
	world.sessions.set(site.id, session);
	world.itemSearches.delete(site.id);
	world.dataUse.delete(site.id);
	site.username = username;
	site.seen = { portalVersion: session.portalVersion, serverVersion: session.serverVersion, at: Date.now() };
	note(world, site, "sign_in");
	return session;
}

/** Returns the session of a site. Throws if it has ended or the site does not respond. */
export function sessionOf(world: World, id: SiteId): SessionView {
	const site = siteIn(world, id);
	const session = world.sessions.get(id);
	const hasEnded = session?.expiresAt != null && session.expiresAt <= Date.now();
	if (!session || hasEnded) throw signInAt(id);
	if (isPractice(site) && !world.practiceRunning) {
		throw { kind: "unreachable", stage: "connect", message: "connection refused" } satisfies Problem;
	}
	return session;
}

export function signingIn(world: World) {
	const enter = (id: SiteId, username: string, role = "administrator") =>
		enterAs(world, siteIn(world, id), username, role);
	return {
		signIn: (id, server, form) => {
			const username = form.username.trim();
			if (form.password === "wrong") throw refused(400, "Unable to generate token.", ["Invalid username or password."]);
			// A sign-in at a server keeps the session of the portal.
			const atPortal = server === null ? undefined : world.sessions.get(id);
			return atPortal ?? enter(id, username, /viewer|publisher/.exec(username)?.[0]);
		},
		signInInBrowser: (id) => {
			return { kind: "signedIn", session: enter(id, "gisadmin") };
		},
		stopBrowserSignIn: () => {},
		signInWithToken: (id) => Object.assign(enter(id, "gisadmin"), { expiresAt: null }),
		openSignInPage: () => {},
		signInWithCode: (id) => enter(id, "gisadmin"),
		session: ({ site, server }) => {
			try {
				return { ...sessionOf(world, site), server };
			} catch (thrown) {
				if ((thrown as Problem).kind === "signIn") return null;
				throw thrown;
			}
		},
		signOut: (id) => {
			const site = siteIn(world, id);
			if (site.unlockedUntil !== null) note(world, Object.assign(site, { unlockedUntil: null }), "lock");
			note(world, site, "sign_out");
			world.sessions.delete(id);
			world.itemSearches.delete(id);
			world.dataUse.delete(id);
		},
	} satisfies Partial<Doings>;
}
