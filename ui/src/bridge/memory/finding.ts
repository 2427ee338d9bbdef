import type {
	CertificateView,
	ConnectionForm,
	DiscoveryAttemptView,
	FoundServerView,
	FoundSiteView,
	FoundView,
	Problem,
	ServerForm,
} from "../bindings";

const certificate = (server: string): CertificateView => ({
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

function server(name: string, address: string, role: string): FoundServerView {
	const form: ServerForm = {
		id: null,
		name,
		address,
		servicesUrl: "",
		adminUrl: "",
		serverType: { kind: "gis" },
		role,
	};
	return { form, version: "11.3", federated: null, fellBack: null };
}

/** The words of the host decide what is behind it: `selfsigned`, `authority`, `federated`, `nobody`, `proxy`,
 * `page`, `door`. */
export function find(pasted: string, connection: ConnectionForm): FoundView {
	const text = pasted.trim();
	const fault = (why: "required" | "notAnAddress"): Problem => ({ kind: "form", field: "pasted", fault: why });
	if (text === "") throw fault("required");
	const url = URL.parse(text.includes("://") ? text : `https://${text}`);
	if (!url || /\s/.test(text)) throw fault("notAnAddress");
	const { hostname: host, origin } = url;
	const trusted = connection.trustedCertificates.some((pin) => pin.origin === origin);
	if (host.includes("proxy") && connection.route.kind !== "proxy") {
		return nothing(host, { kind: "unreachable", stage: "proxy", reason: "407 Proxy Authentication Required" });
	}
	if (host.includes("nobody")) {
		return nothing(host, { kind: "unreachable", stage: "connect", reason: "the name could not be resolved" });
	}
	if (host.includes("slow")) return nothing(host, { kind: "unreachable", stage: "wait", reason: "timed out" });
	for (const stage of ["tls", "send", "read"] as const) {
		if (host.startsWith(stage)) return nothing(host, { kind: "unreachable", stage, reason: "connection closed" });
	}
	if (host.includes("page")) return nothing(host, { kind: "somethingElse", status: 200 });
	if (host.includes("door")) return nothing(host, { kind: "atTheDoor", challenge: "Negotiate, NTLM" });
	if (/selfsigned|authority/.test(host) && !trusted) {
		const reason = host.includes("authority") ? ({ kind: "caAsEndEntity" } as const) : certificate(host).reason;
		return nothing(host, { kind: "distrusted", certificate: { ...certificate(host), reason } });
	}
	if (
		host.startsWith("federated") &&
		!connection.trustedCertificates.some((pin) => pin.origin === "https://gis.example.org")
	) {
		return { site: serverOf(host), traces: silent(host) };
	}
	return { site: site(host), traces: [trace(`https://${host}/portal/sharing/rest`), ...silent(host)] };
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
		servers: [server(host, `https://${host}/server`, "HOSTING_SERVER")],
		unreachedPortal: null,
	};
}

/** A server whose portal has a certificate that is not trusted. */
function serverOf(host: string): FoundSiteView {
	const address = `https://${host}:6443/arcgis`;
	const portal = "https://gis.example.org/portal";
	return {
		deploymentType: "enterprise",
		portal: null,
		servers: [{ ...server(`${host}:6443`, address, ""), federated: portal }],
		unreachedPortal: {
			server: address,
			address: portal,
			outcome: { kind: "distrusted", certificate: certificate("gis.example.org") },
		},
	};
}

const trace = (address: string): DiscoveryAttemptView => ({ address, outcome: { kind: "answered", version: "11.3" } });

const silent = (host: string): DiscoveryAttemptView[] => [
	trace(`https://${host}/server/rest/info`),
	{ address: `https://${host}/arcgis/rest/info`, outcome: { kind: "somethingElse", status: 404 } },
	{
		address: `https://${host}:6443/arcgis/admin`,
		outcome: { kind: "unreachable", stage: "connect", reason: "connection refused" },
	},
];

function nothing(host: string, outcome: DiscoveryAttemptView["outcome"]): FoundView {
	const tried = ["portal/sharing/rest", "server/rest/info", "arcgis/rest/info"];
	return { site: null, traces: tried.map((path) => ({ address: `https://${host}/${path}`, outcome })) };
}

/** What a portal knows beyond what answers to strangers. */
export function federated(known: readonly ServerForm[]): FoundServerView[] {
	return [
		...known.map((form) => ({ form: { ...form, id: null }, version: "11.3", federated: null, fellBack: null })),
		{
			...server("imagery", "https://imagery.example.org/image", "FEDERATED_SERVER"),
			fellBack: {
				from: "https://imagery-01.intern.example.org:6443/arcgis",
				outcome: { kind: "unreachable", stage: "connect", reason: "the name could not be resolved" },
			},
		},
		server("notebooks", "https://gis.example.org/notebooks", "FEDERATED_SERVER_WITH_RESTRICTED_PUBLISHING"),
	];
}
