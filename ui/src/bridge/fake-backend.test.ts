import { newRun } from "@/bridge";
import { pastOf } from "@/test/past";
import { signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import type { Problem } from "./bindings";
import { fakeBackend } from "./fake-backend";

const folder = { target: { kind: "folder", location: "/srv/backup" }, checkOnly: false } as const;

test("a session that has run out asks for the sign-in", async () => {
	const { site, session, world } = signedInSite();
	const sessions = new Map([[site.id, { ...session, expiresAt: Date.now() - 1 }]]);
	const backend = fakeBackend({ world: { ...world, sessions } });
	const signIn: Problem = { kind: "signIn", site: "city", server: null };
	await expect(backend.session(cityServer)).resolves.toBeNull();
	await expect(backend.listServices(cityServer)).rejects.toEqual(signIn);
	const ended = await backend.exportPortal("city", newRun("r"), folder);
	expect(ended).toEqual({ kind: "failed", problem: signIn, outcome: "notSent", record: null });
});

test("a refreshed invitation is valid for longer, and its file is saved", async () => {
	const backend = fakeBackend({ world: signedInSite().world });
	const form = { collaborationId: "c-regional", invitationId: "inv-museum" };
	const refreshed = await backend.refreshInvitation("city", newRun("r"), form);
	const invitation = (await backend.listInvitations("city")).find(({ invitationId }) => invitationId === "inv-museum");
	expect(refreshed).toMatchObject({ report: { expiration: invitation?.expiration, saving: { kind: "saved" } } });
});

test("an injected problem rejects, and a failed run says so in its end and in the history", async () => {
	const refused: Problem = { kind: "rejected", code: 500, message: "Unable to write.", details: [] };
	const backend = fakeBackend({ world: signedInSite().world, fail: { exportPortal: refused, about: refused } });
	await expect(backend.about()).rejects.toEqual(refused);
	const ended = await backend.exportPortal("city", newRun("r"), folder);
	expect(ended).toEqual({ kind: "failed", problem: refused, outcome: "failed", record: expect.any(String) });
	expect(await pastOf(backend)).toMatchObject([{ outcome: "failed", note: "Unable to write." }]);
});
