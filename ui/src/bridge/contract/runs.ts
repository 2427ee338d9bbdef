import { serverOf } from "@/lib/target";
import type { RunsNow } from "../bindings";
import { practice, run } from "./given";
import { fails, has, ok, refuses, type Situation, until } from "./situation";

const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
const first = { query: { column: "path", descending: false, filter: "", type: null }, most: 1, apart: false } as const;

export const runs: Situation[] = [
	{
		name: "a run is announced when it begins and when it ends, and stays until it is dismissed",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const heard: RunsNow[] = [];
			// Events can arrive out of order; the revision decides.
			const newest = () => heard.toSorted((one, other) => one.revision - other.revision).at(-1);
			const leave = backend.onRuns((now) => heard.push(now));
			// The backend registers a listener asynchronously; a command after it makes sure that this is done.
			await backend.listRuns();
			const exporting = run();
			const { id } = exporting;
			const place = { kind: "serverFolder" as const, location: exportFolder };
			await backend.exportServer(serverOf(site), exporting, { place });
			await until(() => newest()?.running.length === 0, "the end is announced");
			const begun = heard.find(({ running }) => running.length > 0);
			has(begun?.running, [{ id, site: site.id, siteName: "Practice", operation: "export_server", act: null }]);
			const ended = [{ id, site: site.id, operation: "export_server", outcome: "succeeded" }];
			has(newest()?.ended, ended);
			has((await backend.listRuns()).ended, ended);
			const before = heard.length;
			await backend.dismissRun(id);
			await until(() => heard.length > before, "the dismissal is announced");
			has(newest(), { running: [], ended: [] });
			has((await backend.listRuns()).ended, []);
			leave();
			const revisions = new Set(heard.map(({ revision }) => revision));
			ok(revisions.size === heard.length, `each event has a revision of its own: ${heard.map((one) => one.revision)}`);
		},
	},
	{
		name: "a busy site refuses a second change and a change of itself, and lets a search pass",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.addFault({ fault: "delay", target: "export_server", times: 1, seconds: 60, after: false });
			const place = { kind: "serverFolder" as const, location: exportFolder };
			const exporting = backend.exportServer(serverOf(site), run(), { place });
			await until(
				async () => (await backend.listRuns()).running[0]?.step.kind === "waiting",
				"the export is waited for",
			);
			const busy = { kind: "busy", operation: "export_server", act: null };
			await fails(backend.exportServer(serverOf(site), run(), { place }), busy);
			// The run continues on its own server, whichever is the current one.
			await backend.chooseServer(site.id, site.currentServer ?? "");
			await refuses(backend.removeSite(site.id, "Not needed"), busy);
			has(await backend.findItems(serverOf(site), run().id, filters, first), { kind: "done" });
			for (const { id } of (await backend.listRuns()).running) await backend.stopRun(id);
			has(await exporting, { kind: "unknown" });
		},
	},
	{
		name: "what has not begun is stopped and dismissed without an error",
		play: async (backend) => {
			await backend.stopRun("none");
			await backend.dismissRun("none");
		},
	},
];
