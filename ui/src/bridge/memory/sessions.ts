import {
	type Availability,
	type Capability,
	type Key,
	type Obstacle,
	operations,
	type SessionView,
	type SiteView,
} from "../bindings";
import type { World } from "./world";

function obstacle(site: SiteView, role: string, version: string, key: Key): Obstacle | null {
	const operation = operations.find((one) => one.key === key);
	if (!operation) return null;
	if (!site[operation.area]) return { kind: "noArea", area: operation.area };
	const [major, minor, needs] = demands[key];
	const [hasMajor = 0, hasMinor = 0] = version.split(".").map(Number);
	if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
		return { kind: "tooOld", needs: `${major}.${minor}`, has: version };
	}
	const suffices = role === "administrator" || (role === "publisher" && needs === "publisher");
	return suffices ? null : { kind: "role", needs };
}

/** Version and capability that the specification asks for. The program has its own, finer rules. */
const demands: Record<Key, [major: number, minor: number, needs: Capability]> = {
	export_portal: [10, 4, "defaultAdministrator"],
	export_server: [10, 8, "administrator"],
	import_server: [10, 8, "administrator"],
	deactivate_webhooks: [11, 1, "publisher"],
	find_items: [10, 9, "publisher"],
	update_participant: [10, 5, "administratorOfHost"],
	refresh_invitation: [10, 5, "administratorOfHost"],
};

/** What somebody with this role may do on the site. */
export function openSession(site: SiteView, username: string, role: string, version = "11.3"): SessionView {
	return {
		site: site.id,
		username,
		role,
		portalVersion: site.portal ? version : null,
		serverVersion: site.server ? version : null,
		expiresAt: Date.now() + 60 * 60_000,
		operations: operations.map(({ key }): Availability => {
			const found = obstacle(site, role, version, key);
			return { operation: key, obstacles: found ? [found] : [], parameters: [] };
		}),
	};
}

/** Signs somebody in. */
export function enterAs(world: World, site: SiteView, username: string, role: string): SessionView {
	const session = openSession(site, username, role);
	world.sessions.set(site.id, session);
	site.username = username;
	site.seen = { portalVersion: session.portalVersion, serverVersion: session.serverVersion, at: Date.now() };
	return session;
}
