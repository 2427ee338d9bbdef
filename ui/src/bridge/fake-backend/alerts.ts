import type { ChannelForm, ChannelMeans } from "../bindings";
import type { Doings } from "./answer";
import type { World } from "./world";

/** Returns the means of a channel as the window gets to see them: of an address only its origin. */
function seen({ means, address, password }: ChannelForm, before: ChannelMeans | undefined): ChannelMeans {
	if (means.kind === "mail") return means;
	const kept = before && "origin" in before ? before.origin : means.origin;
	const now = { ...means, origin: address === null ? kept : new URL(address).origin };
	return now.kind === "webhook" && password !== null ? { ...now, isSigned: password !== "" } : now;
}

/** Alert channels. A test alert succeeds unless `alertFault` is set. */
export function alerts(world: World) {
	return {
		alerts: () => world.alerts,
		saveAlertChannel: (form) => {
			const id = form.id ?? `channel-${world.alerts.channels.length + 1}`;
			const before = world.alerts.channels.find(({ channel }) => channel.id === id);
			const means = seen(form, before?.channel.means);
			const tellsAllWell = form.tellsAllWell && means.kind !== "heartbeat";
			const channel = { id, name: form.name.trim(), means, tellsAllWell };
			const view = { channel, isAllowed: true, last: before?.last ?? null };
			const channels = before
				? world.alerts.channels.map((one) => (one === before ? view : one))
				: [...world.alerts.channels, view];
			world.alerts = { ...world.alerts, channels };
			return world.alerts;
		},
		deleteAlertChannel: (id) => {
			const channels = world.alerts.channels.filter(({ channel }) => channel.id !== id);
			world.alerts = { ...world.alerts, channels };
			return world.alerts;
		},
		testAlertChannel: () => world.alertFault,
	} satisfies Partial<Doings>;
}
