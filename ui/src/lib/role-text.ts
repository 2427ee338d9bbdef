import type { TFunction } from "i18next";

const known = {
	org_admin: "administrator",
	org_publisher: "publisher",
	org_user: "user",
	org_viewer: "viewer",
	account_admin: "administrator",
} as const;

/** Portals name their built-in roles by identifiers; roles of one's own come as they are. */
export function roleText(t: TFunction, role: string): string {
	return role in known ? t(`role.${known[role as keyof typeof known]}`) : role;
}
