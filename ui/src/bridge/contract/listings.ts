import { serverOf } from "@/lib/target";
import { form, practice } from "./given";
import { has, ok, type Situation } from "./situation";

export const listings: Situation[] = [
	{
		name: "services are listed with their paths and the origins of their webhooks",
		play: async (backend) => {
			const { site } = await practice(backend);
			const services = await backend.listServices(serverOf(site));
			const hydrants = services.find(({ path }) => path === "Hosted/Hydrants.FeatureServer");
			has(hydrants, { folder: "Hosted", name: "Hydrants", type: "FeatureServer" });
			const [webhook] = hydrants?.webhooks ?? [];
			ok(webhook !== undefined && webhook.name !== "", "the service has no webhook");
			has(webhook.receiver, new URL(webhook.receiver).origin);
			ok(
				services.some(({ folder, path, name, type }) => folder === "" && path === `${name}.${type}`),
				"no service is in the root folder",
			);
		},
	},
	{
		name: "the failed deliveries of a webhook are counted, and are not known of one that is not there",
		play: async (backend) => {
			const { site } = await practice(backend);
			const services = await backend.listServices(serverOf(site));
			const [hydrants] = services.filter(({ path }) => path === "Hosted/Hydrants.FeatureServer");
			const webhooks = ["none", hydrants?.webhooks?.[0]?.id ?? ""].map((webhook) => ({
				service: "Hosted/Hydrants.FeatureServer",
				webhook,
			}));
			const [none, one] = await backend.listFailedDeliveries(serverOf(site), webhooks);
			has(none, { webhook: "none", failures: null, first: null, last: null });
			ok(typeof one?.failures === "number", JSON.stringify(one));
		},
	},
	{
		name: "participants are listed with their collaboration, role and contact",
		play: async (backend) => {
			const { site } = await practice(backend);
			const participants = await backend.listParticipants(site.id);
			ok(
				participants.every((one) => one.collaborationId !== "" && one.participantId !== "" && one.portalName !== ""),
				"a participant lacks an identifier or a name",
			);
			ok(
				participants.some(({ role }) => /host/i.test(role)),
				"there is no host",
			);
		},
	},
	{
		name: "invitations are listed with the time that is left",
		play: async (backend) => {
			const { site } = await practice(backend);
			const invitations = await backend.listInvitations(site.id);
			ok(invitations.length > 1, "there are no invitations");
			for (const { expiration, expiresIn } of invitations) {
				const left = (expiration ?? 0) - Date.now();
				ok(Math.abs(left - (expiresIn ?? 0)) < 60_000, `${expiresIn} ms are left instead of ${left}`);
			}
		},
	},
	{
		name: "unsaved invitations are listed without a session, and one that is not there is deleted without an error",
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			has(await backend.listUnsavedInvitations(id), []);
			await backend.discardUnsavedInvitation("none");
		},
	},
	{
		name: "the roots of the data store are paths",
		play: async (backend) => {
			const { site } = await practice(backend);
			const roots = await backend.listDataRoots(serverOf(site));
			ok(roots.includes("/fileShares") && roots.every((root) => root.startsWith("/")), JSON.stringify(roots));
		},
	},
];
