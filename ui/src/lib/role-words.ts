const known: Record<string, string> = {
	org_admin: "administrator",
	org_publisher: "publisher",
	org_user: "user",
	account_admin: "administrator",
};

/** Portals name their built-in roles by identifiers; roles of one's own come as they are. */
export function roleWords(role: string): string {
	return known[role] ?? role;
}
