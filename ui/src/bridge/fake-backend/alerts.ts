import type { ChannelForm, ChannelMeans } from "../bindings";
import type { Doings } from "./answer";
import { wrong } from "./problems";
import type { World } from "./world";

function hostOf(means: ChannelMeans): string {
	return means.kind === "mail" ? means.host : new URL(means.origin).hostname;
}

function isAllowed({ alerts: { allowed, hosts } }: World, means: ChannelMeans): boolean {
	return allowed.includes(means.kind) && (hosts === null || hosts.includes(hostOf(means)));
}

/** Form checks that tests of the window need, in the order of the backend. */
function checked(world: World, form: ChannelForm): ChannelMeans {
	const { means } = form;
	if (form.name.trim() === "") throw wrong("name", "required");
	let now: ChannelMeans = means;
	if (means.kind === "mail") {
		if (means.host.trim() === "") throw wrong("host", "required");
		if (means.from === "") throw wrong("from", "required");
		if (means.to.length === 0) throw wrong("to", "required");
		if (![means.from].every((one) => one.includes("@"))) throw wrong("from", "notAnEmail");
		if (!means.to.every((one) => one.includes("@"))) throw wrong("to", "notAnEmail");
	} else {
		const saved = world.alerts.channels.find(({ channel }) => channel.id === form.id)?.channel.means;
		const address = form.address ?? (saved?.kind === means.kind && "origin" in saved ? saved.origin : "");
		if (address === "") throw wrong("address", "required");
		if (!URL.canParse(address) || !address.startsWith("https://")) throw wrong("address", "notAnAddress");
		now = { ...means, origin: new URL(address).origin };
		if (now.kind === "webhook")
			now = { ...now, isSigned: form.password === null ? now.isSigned : form.password !== "" };
	}
	const isTaken = world.alerts.channels.some(
		({ channel }) => channel.id !== form.id && channel.name === form.name.trim(),
	);
	if (isTaken) throw wrong("name", "nameTaken");
	if (!isAllowed(world, now)) {
		const field = world.alerts.allowed.includes(now.kind) ? (now.kind === "mail" ? "host" : "address") : "kind";
		throw wrong(field, "notAllowed");
	}
	return now;
}

/** Alert channels. A test alert succeeds unless `alertFault` is set. */
export function alerts(world: World) {
	return {
		alerts: () => world.alerts,
		saveAlertChannel: (form) => {
			const means = checked(world, form);
			const id = form.id ?? `channel-${world.alerts.channels.length + 1}`;
			const before = world.alerts.channels.find(({ channel }) => channel.id === id);
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
		testAlertChannel: (tested) => {
			if (tested.kind === "channel") checked(world, tested.form);
			return world.alertFault;
		},
	} satisfies Partial<Doings>;
}
