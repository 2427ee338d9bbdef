import type { Doings } from "./answer";
import type { World } from "./world";

/** Forwarding of the audit trail. Each entry is forwarded at once. */
export function forwarding(world: World) {
	return {
		forwarding: () => world.forwarding,
		saveLogServer: (logServer) => {
			const host = logServer.host.trim();
			world.forwarding = { ...world.forwarding, logServer: { ...logServer, host }, failing: null };
			return world.forwarding;
		},
		testLogServer: () => world.testFault,
	} satisfies Partial<Doings>;
}
