import type {
	CertificateProblem,
	ConnectionForm,
	DiscoveryAttemptView,
	FoundServerView,
	FoundSiteView,
	FoundView,
	ServerForm,
} from "../bindings";
import { wrong } from "./problems";
import { serverForm } from "./world";

type Outcome = DiscoveryAttemptView["outcome"];

const certificate = (server: string): CertificateProblem => ({
	server,
	origin: `https://${server}`,
	subject: `CN=${server},OU=Geographic Information,O=City of Northbridge`,
	issuer: "CN=City Root CA,O=City of Northbridge",
	names: [server, `www.${server}`],
	notBefore: "2025-11-01T00:00:00Z",
	notAfter: "2027-11-01T00:00:00Z",
	fingerprint: "5B:1F:90:0E:7C:44:D1:2A:9E:63:0B:F7:58:CC:21:3D:84:A6:19:E2:77:30:9F:4C:B8:05:6D:EA:13:F2:48:C0",
	chain: [
		{ subject: `CN=${server}`, fingerprint: "5B:1F:90:0E" },
		{ subject: "CN=City Root CA,O=City of Northbridge", fingerprint: "77:30:9F:4C" },
	],
	reason: { kind: "unknownIssuer" },
	also: [],
	acceptedBefore: null,
});

const found = (form: ServerForm): FoundServerView => ({ form, version: "11.3", federated: null, fellBack: null });

const unreachable = (stage: Extract<Outcome, { kind: "unreachable" }>["stage"], reason: string): Outcome => ({
	kind: "unreachable",
	stage,
	reason,
});
const noSuchName = unreachable("connect", "the name could not be resolved");

/** Outcomes of a discovery by the first letters of the host. */
const failures: Record<string, Outcome> = {
	nobody: noSuchName,
	slow: unreachable("wait", "timed out"),
	closed: unreachable("lost", "connection closed before message completed"),
	tls: unreachable("tls", "connection closed"),
	suites: unreachable("tlsSuites", "received fatal alert: HandshakeFailure"),
	send: unreachable("send", "connection closed"),
	read: unreachable("read", "connection closed"),
	page: { kind: "somethingElse", status: 200 },
	door: { kind: "atTheDoor", challenge: "Negotiate, NTLM" },
};

/**
 * Finds a site. Parts of the host select the result; besides `failures`, these are `selfsigned`, `authority`,
 * `federated`, and `proxy`.
 */
export function find(pasted: string, connection: ConnectionForm): FoundView {
	const text = pasted.trim();
	if (text === "") throw wrong("pasted", "required");
	const url = URL.parse(text.includes("://") ? text : `https://${text}`);
	if (!url || /\s/.test(text)) throw wrong("pasted", "notAnAddress");
	const { hostname: host, origin } = url;
	const trusts = (origin: string) => connection.trustedCertificates.some((pin) => pin.origin === origin);
	if (host.includes("proxy") && connection.route.kind !== "proxy") {
		return nothing(host, {
			kind: "proxyRefused",
			refusal: { proxy: "http://proxy.example.org:3128", target: `${host}:443`, status: 407, schemes: ["Basic"] },
		});
	}
	const failure = Object.entries(failures).find(([word]) => host.startsWith(word));
	if (failure) return nothing(host, failure[1]);
	if (/selfsigned|authority/.test(host) && !trusts(origin)) {
		const reason = host.includes("authority") ? ({ kind: "caAsEndEntity" } as const) : certificate(host).reason;
		return nothing(host, { kind: "distrusted", certificate: { ...certificate(host), reason } });
	}
	if (host.startsWith("federated") && !trusts("https://gis.example.org")) {
		return { site: serverOf(host), traces: unanswered(host) };
	}
	return { site: site(host), traces: [trace(`https://${host}/portal/sharing/rest`), ...unanswered(host)] };
}

function site(host: string): FoundSiteView {
	const root = `https://${host}/portal`;
	return {
		deploymentType: "enterprise",
		portal: {
			name: "City of Northbridge",
			address: root,
			servicesUrl: root,
			adminUrl: "",
			sharing: `${root}/sharing/rest`,
			admin: `${root}/portaladmin`,
			version: "11.3",
			supportsOauth: true,
			fellBack: null,
		},
		servers: [found(serverForm(host, `https://${host}/server`, "HOSTING_SERVER"))],
		unreachedPortal: null,
	};
}

/** Server whose portal has an untrusted certificate. */
function serverOf(host: string): FoundSiteView {
	const address = `https://${host}:6443/arcgis`;
	const portal = "https://gis.example.org/portal";
	return {
		deploymentType: "enterprise",
		portal: null,
		servers: [{ ...found(serverForm(`${host}:6443`, address)), federated: portal }],
		unreachedPortal: {
			server: address,
			address: portal,
			outcome: { kind: "distrusted", certificate: certificate("gis.example.org") },
		},
	};
}

const trace = (address: string): DiscoveryAttemptView => ({ address, outcome: { kind: "answered", version: "11.3" } });

const unanswered = (host: string): DiscoveryAttemptView[] => [
	trace(`https://${host}/server/rest/info`),
	{ address: `https://${host}/arcgis/rest/info`, outcome: { kind: "somethingElse", status: 404 } },
	{ address: `https://${host}:6443/arcgis/admin`, outcome: unreachable("connect", "connection refused") },
];

function nothing(host: string, outcome: Outcome): FoundView {
	const tried = ["portal/sharing/rest", "server/rest/info", "arcgis/rest/info"];
	return { site: null, traces: tried.map((path) => ({ address: `https://${host}/${path}`, outcome })) };
}

/** Servers of a portal: the given ones, and further ones that only its administrators can list. */
export function federated(known: readonly ServerForm[]): FoundServerView[] {
	const imagery = serverForm("imagery", "https://imagery.example.org/image", "FEDERATED_SERVER");
	const own = "https://imagery-01.intern.example.org:6443/arcgis";
	const restricted = "FEDERATED_SERVER_WITH_RESTRICTED_PUBLISHING";
	const others: FoundServerView[] = [
		{ ...found(imagery), fellBack: { from: own, outcome: noSuchName } },
		found(serverForm("notebooks", "https://gis.example.org/notebooks", restricted)),
	];
	const isKnown = (address: string) => known.some((form) => form.address === address);
	return [...known.map(found), ...others.filter(({ form }) => !isKnown(form.address))];
}
