import { act, screen, waitFor, within } from "@testing-library/react";
import { type NewRun, type OperationKey, type Outcome, operations, type Problem, type RunResult } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import type { EndWithoutResult } from "@/bridge/fake-backend/deeds";
import { type RunStore, useRunStore } from "@/lib/runs";
import { serverOf, targetOf } from "@/lib/target";
import common from "@/messages/en/common.json";
import { pastOf } from "@/test/past";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const { site, world } = signedInSite();
const server = serverOf(site);
const contact = { contactFirstname: "Kim", contactLastname: "Ito", contactEmailAddress: "kim@example.org" };
const ofParticipant = { collaborationId: "c", participantId: "p", ...contact };
const ofInvitation = { collaborationId: "c", invitationId: "i" };
const items = { parentPath: "", ancestorPath: "/", types: "", id: "", isManaged: null };
const firstRows = {
	query: { column: "path", descending: false, filter: "", type: null },
	most: 1,
	apart: false,
} as const;
const webhooks = { services: ["Roads.FeatureServer"], why: "", confirmation: site.name };
const folder = { target: { kind: "folder", location: "/srv" }, checkOnly: false } as const;
const ofPortal = {
	location: "/a.portalsite",
	exportVersion: "11.5",
	safetyBackup: null,
	confirmation: site.name,
	checkOnly: false,
};
const ofServer = { location: "/a.agssite", confirmation: site.name, safetyBackup: null, deactivateWebhooks: null };
const onServer = { place: { kind: "serverFolder", location: "/srv" } } as const;

type Fake = ReturnType<typeof fakeBackend>;
type Begin = (backend: Fake, run: NewRun) => Promise<RunResult<unknown>>;

/** Starts each operation with the values of its page. A missing operation is a type error. */
const begin: Record<OperationKey, { form: unknown; command: keyof NonNullable<MemoryOptions["ends"]>; of: Begin }> = {
	export_portal: {
		form: folder,
		command: "exportPortal",
		of: (backend, run) => backend.exportPortal(site.id, run, folder),
	},
	export_server: {
		form: onServer,
		command: "exportServer",
		of: (backend, run) => backend.exportServer(server, run, onServer),
	},
	import_server: {
		form: ofServer,
		command: "importServer",
		of: (backend, run) => backend.importServer(server, run, ofServer),
	},
	import_portal: {
		form: ofPortal,
		command: "importPortal",
		of: (backend, run) => backend.importPortal(site.id, run, ofPortal),
	},
	deactivate_webhooks: {
		form: webhooks,
		command: "deactivateWebhooks",
		of: (backend, run) => backend.deactivateWebhooks(server, run, webhooks),
	},
	find_items: {
		form: items,
		command: "findItems",
		of: (backend, run) => backend.findItems(server, run.id, items, firstRows),
	},
	update_participant: {
		form: { kind: "one", form: ofParticipant },
		command: "updateParticipant",
		of: (backend, run) => backend.updateParticipant(site.id, run, ofParticipant),
	},
	refresh_invitation: {
		form: { kind: "one", form: ofInvitation },
		command: "refreshInvitation",
		of: (backend, run) => backend.refreshInvitation(site.id, run, ofInvitation),
	},
};

const rejected: Problem = { kind: "rejected", code: 429, message: "Too many requests.", details: [] };
const lost: Problem = { kind: "unreachable", stage: "wait", message: "timed out" };
const failed = (problem: Problem, outcome: Outcome) => ({ kind: "failed", problem, outcome, record: null }) as const;
const unknown = { kind: "unknown", record: null, stopped: false, problem: lost, canUndo: false } as const;

/** Every end of a run without a result, and a failure with each effect on the site. */
const ends: readonly EndWithoutResult[] = [
	{ kind: "notSent", record: null, backup: null },
	unknown,
	failed(rejected, "failed"),
	failed(rejected, "notSent"),
	failed(rejected, "unknown"),
	failed(rejected, "warnings"),
];

/** Returns the effect on the site that the window states; `null` if it states none, as for a search. */
function effectOnPage(): Outcome | null {
	const content = within(screen.getByRole("main"));
	if (content.queryByRole("status", { name: /^Unknown / })) return "unknown";
	if (content.queryByRole("status", { name: /^Not sent / })) return "notSent";
	const alert = content.queryByRole("alert");
	// A page that opens with an earlier result shows it as a line.
	const line = alert ? null : content.getByRole("group", { name: "Last result" });
	if (line) return line.textContent?.includes("Last: Unknown,") ? "unknown" : null;
	const text = alert?.textContent ?? "";
	if (text.includes("Nothing was changed on the site.")) return "failed";
	return text.includes("The operation was not sent to the site.") ? "notSent" : null;
}

/** Returns the effect on the site that the notice of a run must state; `null` if it must state none. */
function expected(end: EndWithoutResult, key: OperationKey): Outcome | null {
	if (end.kind !== "failed") return end.kind;
	const isSaid = key !== "find_items" && (end.outcome === "failed" || end.outcome === "notSent");
	return isSaid ? end.outcome : null;
}

const inPanel: Partial<Record<Outcome, string>> = {
	failed: "Failed",
	notSent: "Not sent",
	unknown: "The outcome is unknown. The site might still be processing the request.",
	warnings: "Completed with warnings",
};

function Take({ with: take }: { with: (store: RunStore) => void }) {
	take(useRunStore());
	return null;
}

describe.each(["its own page", "another page"])("with %s shown", (shown) => {
	test.each(operations.map(({ key }) => key))(
		"the page, the panel, and the history say the same of %s",
		async (key) => {
			const { form, command, of } = begin[key];
			const now: NonNullable<MemoryOptions["ends"]> = {};
			const backend = fakeBackend({ world, ends: now });
			let store: RunStore | null = null;
			const app = (
				<>
					<Take with={(taken) => (store = taken)} />
					<App />
				</>
			);
			const { user } = renderWith(app, backend, lastAt(site.id));
			const sidebar = within(await screen.findByRole("navigation", { name: "Site and operations" }));
			const { nav } = common.operation[key];
			const open = async () => {
				await user.click(await sidebar.findByRole("button", { name: nav }));
				await screen.findByRole("heading", { name: nav });
			};
			const own = shown === "its own page";
			for (const end of ends) {
				now[command] = end;
				if (own) await open();
				else await user.click(await sidebar.findByRole("button", { name: "Overview" }));
				const target = targetOf(key, site);
				await act(async () => store?.start(key, target, form, (run) => of(backend, run)));
				const outcome = end.kind === "failed" ? end.outcome : end.kind;
				const about = `${JSON.stringify(end)}`;
				if (own) await waitFor(async () => expect((await backend.listRuns()).ended).toEqual([]));
				else {
					const region = within(await screen.findByRole("region", { name: "Operations panel" }));
					expect(region.getByText(inPanel[outcome] ?? ""), about).toBeVisible();
					await open();
				}
				await waitFor(() => expect(effectOnPage(), about).toBe(expected(end, key)));
				if (key !== "find_items") expect((await pastOf(backend))[0]?.outcome, about).toBe(outcome);
				const { ended } = await backend.listRuns();
				act(() => {
					store?.reset(key, target);
					for (const { id } of ended) store?.dismiss(id);
				});
			}
		},
	);
});
