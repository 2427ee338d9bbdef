import type { PracticeUser } from "@/bridge";

/** Returns the user of the practice site with all privileges. */
export function administrator(users: readonly PracticeUser[]): PracticeUser {
	const user = users.find(({ role }) => role === "administrator") ?? users[0];
	if (!user) throw new Error("the practice site has no users");
	return user;
}
