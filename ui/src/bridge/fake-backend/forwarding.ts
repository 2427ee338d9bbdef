import type { LogServer } from "../bindings";
import type { Doings } from "./answer";
import { wrong } from "./problems";
import type { World } from "./world";

/** Form checks that tests of the window need, in the order of the backend. */
function checked(world: World, logServer: LogServer): void {
	const { rule, hosts } = world.forwarding;
	const host = logServer.host.trim();
	if (/[\s/@:]/.test(host)) throw wrong("host", "notAHost");
	const isLocked = world.preferences.policy?.locked.includes("logServer");
	const isAllowed =
		host === "" ? rule !== "required" : rule !== "forbidden" && (hosts === null || hosts.includes(host));
	if (isLocked || !isAllowed) throw wrong("host", "notAllowed");
}

/** Forwarding of the audit trail. Each entry is forwarded at once. */
export function forwarding(world: World) {
	return {
		forwarding: () => world.forwarding,
		saveLogServer: (logServer) => {
			checked(world, logServer);
			const host = logServer.host.trim();
			world.forwarding = { ...world.forwarding, logServer: { ...logServer, host }, failing: null };
			return world.forwarding;
		},
		testLogServer: (logServer) => {
			if (logServer.host.trim() === "") throw wrong("host", "required");
			checked(world, logServer);
			return world.testFault;
		},
	} satisfies Partial<Doings>;
}
