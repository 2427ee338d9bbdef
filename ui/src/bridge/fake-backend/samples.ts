import type {
	DataStoreItem,
	ImportReport,
	InvitationView,
	ParticipantView,
	ServerUpload,
	ServiceView,
	WebhookDeliveries,
} from "../bindings";
import samples from "./samples.json";

const hour = 3_600_000;

/** Content of a portal and a server. The compiler compares the file with the types of the backend. */
export const content = () =>
	structuredClone(samples) satisfies {
		services: ServiceView[];
		items: DataStoreItem[];
		uploads: ServerUpload[];
		participants: ParticipantView[];
		importReport: ImportReport;
	};

/** Webhook receiver that failed this morning. */
export function failedDeliveries(): WebhookDeliveries[] {
	const at = Date.now() - 3 * hour;
	const failed = { service: "Hosted/Streetlights.FeatureServer", webhook: "w-streetlight-outages" };
	return [{ ...failed, failures: 3, first: at, last: at + 1_200_000 }];
}

export function invitations(): InvitationView[] {
	return content().invitations.map(({ expiresInHours, ...invitation }) => {
		const expiresIn = expiresInHours * hour;
		const status = expiresIn > 0 ? "pending" : "expired";
		return { ...invitation, status, expiration: Date.now() + expiresIn, expiresIn };
	});
}

/** Returns generated items, for tests of large data stores. */
export function manyItems(count: number): DataStoreItem[] {
	const [sample] = content().items.filter(({ systemManaged }) => !systemManaged);
	return Array.from({ length: count }, (_, number) => ({
		...(sample as DataStoreItem),
		id: `item-${number}`,
		name: `item${number}`,
		path: `/bigDataFileShares/share${Math.floor(number / 1_000)}/item${number}`,
		type: number % 7 === 0 ? "folder" : "bigDataFileShare",
		provider: "",
		modified: 1_750_000_000_000 + number * 60_000,
		info: [{ name: "info.path", value: `/net/share/${number}`, secret: false }],
	}));
}
