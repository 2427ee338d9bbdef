import type { PracticeUser } from "@/bridge";

/** Whoever may do everything on the practice site. */
export function administrator(users: readonly PracticeUser[]): PracticeUser {
	const user = users.find(({ role }) => role === "administrator") ?? users[0];
	if (!user) throw new Error("the practice site has no users");
	return user;
}
