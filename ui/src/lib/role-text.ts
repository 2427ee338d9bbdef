import type { TFunction } from "i18next";

const known = {
	org_admin: "administrator",
	org_publisher: "publisher",
	org_user: "user",
	org_viewer: "viewer",
	account_admin: "administrator",
} as const;

/** Returns the name of a role. Portals identify built-in roles by fixed names; custom roles are shown unchanged. */
export function roleText(t: TFunction, role: string): string {
	return role in known ? t(`role.${known[role as keyof typeof known]}`) : role;
}
