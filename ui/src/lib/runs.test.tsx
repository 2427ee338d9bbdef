import { act, screen } from "@testing-library/react";
import { vi } from "vitest";
import { type Backend, newRun, type RunId, type SiteView, type Target, useBackend } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { openSession } from "@/bridge/fake-backend/sessions";
import { serverOf, targetKey } from "@/lib/target";
import { renderWith, signedInSite } from "@/test/render";
import { useHistoryPeople } from "./queries/history";
import { takeSession, useKnownSession, useSession, useSites } from "./queries/program";
import { useDeactivations, useInvitations, useParticipants, useServices, useUploads } from "./queries/site";
import { useRunStore } from "./runs";

const { site, world } = signedInSite();
const other = { ...site, id: "town", name: "Town GIS" };
const sessions = new Map([...(world.sessions ?? []), [other.id, openSession(other, "clerk", "administrator")]]);
const two = { ...world, sites: [site, other], sessions };

/** Queries that read from a site. */
const reads = [
	"session",
	"listServices",
	"listDeactivations",
	"listUploads",
	"listParticipants",
	"listInvitations",
] as const;

function Reader({ of: saved }: { of: SiteView }) {
	const of = saved.id;
	const asked = [
		useSession(saved),
		useServices(serverOf(saved)),
		useDeactivations(serverOf(saved)),
		useUploads(serverOf(saved)),
		useParticipants(of),
		useInvitations(of),
		useSites(),
		useHistoryPeople(),
	];
	return <p>{`${of} ${asked.every(({ isSuccess }) => isSuccess) ? "read" : "reading"}`}</p>;
}

/** Reads the queries of two sites, then runs an operation on the first. */
async function running(run: (backend: Backend, id: RunId) => Promise<unknown>) {
	const backend = fakeBackend({ world: two });
	renderWith(
		<>
			<Reader of={site} />
			<Reader of={other} />
		</>,
		backend,
	);
	await screen.findByText("city read");
	await screen.findByText("town read");
	const calls = [...reads, "listSites", "historyUsers"] as const;
	const spies = calls.map((call) => ({ call, spy: vi.spyOn(backend, call) }));
	await run(backend, "run");
	const name = (of: string | Target) => (typeof of === "string" ? of : targetKey(of));
	const asked = () =>
		spies.flatMap(({ call, spy }) => spy.mock.calls.map(([of]) => (of ? `${call} of ${name(of)}` : call)));
	return asked;
}

/** Waits longer than the window does between the end of a run and its queries. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 400));

test("a run asks what it touched on its own site, and nothing of another one or of who is signed in", async () => {
	const asked = await running((backend, id) =>
		backend.exportServer(serverOf(site), newRun(id), { place: { kind: "serverFolder", location: "/srv" } }),
	);
	await settled();
	expect(asked().sort()).toEqual(["historyUsers", "listSites", "listUploads of city server"]);
});

test("an import makes all that was read of the server stale, and nothing of the portal", async () => {
	const form = { location: "/srv/a.agssite", confirmation: site.name, safetyBackup: null, deactivateWebhooks: null };
	const asked = await running((backend, id) => backend.importServer(serverOf(site), newRun(id), form));
	await settled();
	expect(asked().sort()).toEqual([
		"historyUsers",
		"listDeactivations of city",
		"listServices of city server",
		"listSites",
		"listUploads of city server",
	]);
});

test("a search changes nothing, and nothing is read again for it", async () => {
	const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
	const query = { column: "path", descending: false, filter: "", type: null } as const;
	const asked = await running((backend, id) =>
		backend.findItems(serverOf(site), id, filters, { query, most: 1, apart: false }),
	);
	await settled();
	expect(asked()).toEqual([]);
});

function Export() {
	const backend = useBackend();
	const runs = useRunStore();
	const place = { kind: "serverFolder", location: "/srv" } as const;
	const send = () =>
		runs.start("export_server", serverOf(site), { place }, (run, form) =>
			backend.exportServer(serverOf(site), run, form),
		);
	return (
		<button type="button" onClick={send}>
			{useKnownSession(site) ? "export" : "nobody"}
		</button>
	);
}

test("a run that ended for want of a session says who is signed in without asking", async () => {
	const backend = fakeBackend({
		world: two,
		fail: { exportServer: { kind: "signIn", site: site.id, server: null } },
	});
	const { user } = renderWith(
		<>
			<Reader of={site} />
			<Export />
		</>,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "export" }));
	const session = vi.spyOn(backend, "session");
	expect(await screen.findByRole("button", { name: "nobody" })).toBeVisible();
	await settled();
	expect(session).not.toHaveBeenCalled();
});

test("a server that wants an account of its own does not end the session at the portal", async () => {
	const server = { id: "s", name: "server.example.org", host: "server.example.org" };
	const backend = fakeBackend({ world: two, fail: { exportServer: { kind: "signIn", site: site.id, server } } });
	const { user } = renderWith(
		<>
			<Reader of={site} />
			<Export />
		</>,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "export" }));
	await settled();
	expect(screen.getByRole("button", { name: "export" })).toBeVisible();
});

/** Starts an operation that ends without a session when the test says so. */
async function expiring() {
	let expire: () => void = () => {};
	const backend = fakeBackend({ world: two });
	const exportServer: Backend["exportServer"] = () =>
		new Promise((_, reject) => {
			expire = () => reject({ kind: "signIn", site: site.id, server: null });
		});
	const { user, queries } = renderWith(
		<>
			<Reader of={site} />
			<Export />
		</>,
		{ ...backend, exportServer },
	);
	await user.click(await screen.findByRole("button", { name: "export" }));
	return { backend, queries, expire: () => expire() };
}

test("a session that began during the run is not ended by it", async () => {
	const { queries, expire } = await expiring();
	await act(() => takeSession(queries, openSession(site, "gisadmin", "administrator")));
	await act(async () => expire());
	await settled();
	expect(screen.getByRole("button", { name: "export" })).toBeVisible();
});

test("a session that began during the run and is not there any more is not kept", async () => {
	const { backend, queries, expire } = await expiring();
	await act(() => takeSession(queries, openSession(site, "gisadmin", "administrator")));
	await backend.signOut(site.id);
	await act(async () => expire());
	expect(await screen.findByRole("button", { name: "nobody" })).toBeVisible();
});
