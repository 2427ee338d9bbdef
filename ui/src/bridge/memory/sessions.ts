import { type Availability, type Key, type Obstacle, operations, type SessionView, type SiteView } from "../bindings";

function obstacle(site: SiteView, role: string, version: string, key: Key): Obstacle | null {
	const operation = operations.find((one) => one.key === key);
	if (!operation) return null;
	if (!site[operation.area]) return { kind: "noArea", area: operation.area };
	const [major, minor] = operation.introduced;
	const [hasMajor = 0, hasMinor = 0] = version.split(".").map(Number);
	if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
		return { kind: "tooOld", needs: `${major}.${minor}`, has: version };
	}
	const suffices = role === "administrator" || (role === "publisher" && operation.capability === "publisher");
	return suffices ? null : { kind: "role", needs: operation.capability };
}

/** What somebody with this role may do on the site. */
export function openSession(site: SiteView, username: string, role: string, version = "11.3"): SessionView {
	return {
		site: site.id,
		username,
		role,
		portalVersion: site.portal ? version : null,
		serverVersion: site.server ? version : null,
		expiresAt: Date.now() + 60 * 60_000,
		operations: operations.map(
			({ key }): Availability => ({ operation: key, obstacle: obstacle(site, role, version, key) }),
		),
	};
}
