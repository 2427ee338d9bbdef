import type {
	DataStoreItem,
	InvitationView,
	ParticipantView,
	ServerUpload,
	ServiceView,
	WebhookDeliveries,
} from "../bindings";

const hour = 3_600_000;

function service(path: string, webhooks: ServiceView["webhooks"] = []): ServiceView {
	const [folder, last] = path.includes("/") ? (path.split("/", 2) as [string, string]) : ["", path];
	const [name = "", type = ""] = last.split(".");
	return { path, folder, name, type, webhooks, gap: null };
}

function hook(name: string, active = true): NonNullable<ServiceView["webhooks"]>[number] {
	return { id: `w-${name}`, name, active, receiver: "https://hooks.example.org" };
}

/** Webhook receiver that failed this morning. */
export function failedDeliveries(): WebhookDeliveries[] {
	const at = Date.now() - 3 * 3_600_000;
	const failed = { service: "Hosted/Streetlights.FeatureServer", webhook: "w-streetlight-outages" };
	return [{ ...failed, failures: 3, first: at, last: at + 1_200_000 }];
}

export function services(): ServiceView[] {
	return [
		service("Hosted/Hydrants.FeatureServer", [hook("hydrant-inspections"), hook("hydrant-archive")]),
		service("Hosted/Streetlights.FeatureServer", [hook("streetlight-outages")]),
		service("Hosted/Trees.FeatureServer"),
		service("Parcels/Zoning.MapServer"),
		service("Parcels/Cadastre.FeatureServer", [hook("cadastre-changes", false)]),
		service("Parcels/Splits.GPServer", [hook("split-finished")]),
		service("Water/Mains.FeatureServer", [hook("mains-leaks")]),
		service("Water/Pressure.GPServer", [hook("pressure-done"), hook("pressure-failed")]),
		service("Basemap.MapServer"),
		service("Aerial2025.ImageServer"),
		service("Geocoder.GeocodeServer"),
		service("Routing.NAServer"),
	];
}

export function item(n: number, path: string, type: string, provider: string, managed: boolean): DataStoreItem {
	const name = path.split("/").at(-1) ?? path;
	return {
		id: `5f1c${String(n).padStart(4, "0")}-8c1e-4c55-9a60-2d3f4b5c6d7e`,
		name,
		path,
		type,
		provider,
		description: managed ? "Made by the system" : "",
		revision: String(1_763_000_000 + n),
		systemManaged: managed,
		isManaged: managed,
		purposes: managed ? ["feature-tile"] : ["feature"],
		machines: managed ? [{ name: "gis-data-1.example.org", dbPort: 9876, platform: "Linux", role: "PRIMARY" }] : [],
		created: 1_731_000_000_000 + n * 86_400_000,
		modified: 1_762_000_000_000 + n * 3_600_000,
		info: [
			{ name: "info.path", value: managed ? "" : `\\\\nas\\gis\\${name}`, secret: false },
			{ name: "connectionString", value: `SERVER=db${n};DATABASE=gis;USER=steward;PASSWORD=••••`, secret: false },
			{ name: "info.password", value: "••••", secret: true },
			{ name: "dataStoreConnectionType", value: managed ? "serverOnly" : "shared", secret: false },
		],
	};
}

export function items(): DataStoreItem[] {
	return [
		item(1, "/enterpriseDatabases/managed", "egdb", "PostgreSQL", true),
		item(2, "/enterpriseDatabases/parcels", "egdb", "Oracle", false),
		item(3, "/enterpriseDatabases/water", "egdb", "SQL Server", false),
		item(4, "/fileShares/aerial", "folder", "File share", false),
		item(5, "/fileShares/cadastre-scans", "folder", "File share", false),
		item(6, "/nosqlDatabases/tiles", "nosql", "Tile cache", true),
		item(7, "/cloudStores/backup-bucket", "cloudStore", "Object store", false),
		item(8, "/rasterStores/elevation", "rasterStore", "File share", false),
	];
}

export function usedBy(): Map<string, string[]> {
	return new Map([
		["/enterpriseDatabases/managed", ["Hosted/Hydrants.FeatureServer", "Hosted/Trees.FeatureServer"]],
		["/enterpriseDatabases/parcels", ["Parcels/Cadastre.FeatureServer", "Parcels/Zoning.MapServer"]],
		["/enterpriseDatabases/water", ["Water/Mains.FeatureServer"]],
		["/fileShares/aerial", ["Aerial2025.ImageServer"]],
		["/fileShares/cadastre-scans", []],
		["/rasterStores/elevation", []],
	]);
}

export function uploads(): ServerUpload[] {
	return [
		{
			id: "i1f3a9c04",
			name: "Nov-13-2026_02-00-07.agssite",
			description: "Weekly export",
			date: "13 November 2026",
			here: null,
		},
		{
			id: "i77b0e2d5",
			name: "Nov-20-2026_02-00-05.agssite",
			description: "Weekly export",
			date: "20 November 2026",
			here: null,
		},
	];
}

const regional = { collaborationId: "c-regional", collaborationName: "Regional base data" };
const water = { collaborationId: "c-water", collaborationName: "Water authority exchange" };

export function participants(): ParticipantView[] {
	const participant = (
		collaboration: typeof regional,
		id: string,
		portalName: string,
		role: string,
		contact: [string, string, string],
	): ParticipantView => ({
		...collaboration,
		participantId: id,
		portalName,
		portalUrl: `https://${id}.example.org/portal`,
		role,
		status: "active",
		contactFirstname: contact[0],
		contactLastname: contact[1],
		contactEmailAddress: contact[2],
		hostedElsewhere: null,
		gap: null,
	});
	return [
		participant(regional, "county", "County portal", "host", ["Ines", "Aguilar", "ines.aguilar@example.org"]),
		participant(regional, "harbour", "Harbour authority", "guest", ["Tomas", "Lind", "t.lind@example.org"]),
		participant(water, "water", "Water authority", "guest", ["Priya", "Nair", "priya.nair@example.org"]),
	];
}

export function invitations(now: number): InvitationView[] {
	const invitation = (
		collaboration: typeof regional,
		id: string,
		guest: string,
		expiration: number,
	): InvitationView => ({
		...collaboration,
		invitationId: id,
		guestPortalUrl: `https://${guest}.example.org/portal`,
		status: expiration > now ? "pending" : "expired",
		expiration,
		expiresIn: expiration - now,
		hostedElsewhere: null,
		gap: null,
	});
	return [
		invitation(regional, "inv-harbour", "harbour", now + 5 * hour),
		invitation(regional, "inv-museum", "museum", now - 30 * hour),
		invitation(water, "inv-upland", "upland", now + 60 * hour),
	];
}
