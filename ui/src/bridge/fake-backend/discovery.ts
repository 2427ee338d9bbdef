import type { DiscoveryAttemptView, FoundServerView, FoundView, ServerForm } from "../bindings";
import { wrong } from "./problems";
import { serverForm } from "./world";

type Outcome = DiscoveryAttemptView["outcome"];

const answered: Outcome = { kind: "answered", version: "11.3" };

export const unreached = (
	stage: Extract<Outcome, { kind: "unreachable" }>["stage"],
	reason: string,
): Extract<Outcome, { kind: "unreachable" }> => ({ kind: "unreachable", stage, reason });

export const foundServer = (form: ServerForm): FoundServerView => ({
	form,
	version: "11.3",
	federated: null,
	fellBack: null,
});

/** Finds a portal with its hosting server at every host. Tests script what else a search can find. */
export function find(pasted: string): FoundView {
	const text = pasted.trim();
	if (text === "") throw wrong("pasted", "required");
	const url = URL.parse(text.includes("://") ? text : `https://${text}`);
	if (!url || /\s/.test(text)) throw wrong("pasted", "notAnAddress");
	const at = `https://${url.hostname}`;
	const address = `${at}/portal`;
	return {
		site: {
			deploymentType: "enterprise",
			portal: {
				name: "City of Northbridge",
				address,
				servicesUrl: address,
				adminUrl: "",
				sharing: `${address}/sharing/rest`,
				admin: `${address}/portaladmin`,
				version: "11.3",
				supportsOauth: true,
				fellBack: null,
			},
			servers: [foundServer(serverForm(url.hostname, `${at}/server`, "HOSTING_SERVER"))],
			unreachedPortal: null,
		},
		traces: [
			{ address: `${address}/sharing/rest`, outcome: answered },
			{ address: `${at}/server/rest/info`, outcome: answered },
			{ address: `${at}/arcgis/rest/info`, outcome: { kind: "somethingElse", status: 404 } },
			{ address: `${at}:6443/arcgis/admin`, outcome: unreached("connect", "connection refused") },
		],
	};
}

/** Servers of a portal: the given ones, and further ones that only its administrators can list. */
export function federated(known: readonly ServerForm[]): FoundServerView[] {
	const imagery = serverForm("imagery", "https://imagery.example.org/image", "FEDERATED_SERVER");
	const own = "https://imagery-01.intern.example.org:6443/arcgis";
	const restricted = "FEDERATED_SERVER_WITH_RESTRICTED_PUBLISHING";
	const others: FoundServerView[] = [
		{
			...foundServer(imagery),
			fellBack: { from: own, outcome: unreached("connect", "the name could not be resolved") },
		},
		foundServer(serverForm("notebooks", "https://gis.example.org/notebooks", restricted)),
	];
	const isKnown = (address: string) => known.some((form) => form.address === address);
	return [...known.map(foundServer), ...others.filter(({ form }) => !isKnown(form.address))];
}
