import { serverOf } from "@/lib/target";
import type { HistorySearch } from "../bindings";
import { past, practice, recordOf, run } from "./given";
import { has, ok, refuses, type Situation } from "./situation";

const anything: HistorySearch = {
	text: "",
	site: null,
	server: null,
	operation: null,
	username: null,
	outcomes: [],
	from: null,
	to: null,
};

export const history: Situation[] = [
	{
		name: "a record holds the request without its token, and the response",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const place = { kind: "serverFolder" as const, location: exportFolder };
			const record = recordOf(await backend.exportServer(serverOf(site), run(), { place }));
			const { entry, requests, response } = await backend.recordDetails(record);
			has(entry, { id: record, site: site.id, siteName: "Practice", username: site.username, isResolved: false });
			has(requests.length, 1);
			const [request] = requests;
			has(request, { method: "POST", address: `${site.server}/admin/exportSite` });
			has(
				request?.form.find(({ name }) => name === "location"),
				{ value: exportFolder },
			);
			has(
				request?.form.find(({ name }) => name === "token"),
				{ value: "***" },
			);
			ok(response?.includes("location") ?? false, `the response is ${response}`);
			const command = await backend.recordAsCommand(record);
			ok(command.includes("curl") && command.includes("exportSite") && command.includes("$TOKEN"), command);
		},
	},
	{
		name: "a reason is kept with a change, found, and can be changed later",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const place = { kind: "serverFolder" as const, location: exportFolder };
			const [reason, later] = [`CHG${Date.now()}`, `LATER${Date.now()}`];
			const record = recordOf(await backend.exportServer(serverOf(site), { ...run(), reason }, { place }));
			const found = async (text: string) => {
				const { entries, batches } = await backend.searchHistory({ ...anything, text }, null, 10);
				has(batches, []);
				return entries.map((entry) => [entry.id, entry.reason, entry.batch]);
			};
			has(await found(reason), [[record, reason, null]]);
			await backend.setReason([record], ` ${later} `);
			has(await found(reason), []);
			has(await found(later), [[record, later, null]]);
			has(await backend.historyBatch("none"), []);
		},
	},
	{
		name: "the history is searched by its words, operation, outcome and user, and comes in pages",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const from = Date.now();
			const place = { kind: "serverFolder" as const, location: exportFolder };
			for (let count = 0; count < 3; count += 1) await backend.exportServer(serverOf(site), run(), { place });
			// The operation is part of the search, because the sign-in before it can have the same time in milliseconds.
			const mine = { ...anything, site: site.id, from, operation: "export_server" as const };
			const page = await backend.searchHistory(mine, null, 2);
			has(page.entries.length, 2);
			ok(page.older !== null, "there is no older page");
			const rest = await backend.searchHistory(mine, page.older, 2);
			has(rest.entries.length, 1);
			has(rest.older, null);
			const count = async (search: Partial<HistorySearch>) =>
				(await backend.searchHistory({ ...mine, ...search }, null, 10)).entries.length;
			has(await count({ operation: "export_server" }), 3);
			has(await count({ operation: "export_portal" }), 0);
			has(await count({ outcomes: ["succeeded", "failed"] }), 3);
			has(await count({ outcomes: ["unknown"] }), 0);
			has(await count({ username: site.username }), 3);
			has(await count({ username: "nobody" }), 0);
			has(await count({ text: "agssite" }), 3);
			has(await count({ text: "no-such-word" }), 0);
			has(await count({ from: Date.now() + 60_000 }), 0);
			ok((await backend.historyUsers()).includes(site.username ?? ""), "the user is not listed");
		},
	},
	{
		name: "the outcome of a record without a response is checked, and set once by a user",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.addFault({ fault: "reset", target: "export_server", times: 1, seconds: 1, after: true });
			const place = { kind: "serverFolder" as const, location: exportFolder };
			const record = recordOf(await backend.exportServer(serverOf(site), run(), { place }));
			const { facts } = await backend.checkOutcome(record);
			ok(
				facts.some(({ kind }) => kind === "siteAnswers"),
				JSON.stringify(facts),
			);
			has(await backend.outcomeResolution(record), null);
			await backend.setOutcome(record, "succeeded", " The file is there ");
			has(await backend.outcomeResolution(record), { note: "The file is there" });
			has((await past(backend, site.id))[0], { id: record, outcome: "succeeded", isResolved: true });
			await refuses(backend.setOutcome(record, "failed", ""), { kind: "unexpected" });
		},
	},
	{
		name: "the items of a record are marked as completed, or not",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const place = { kind: "serverFolder" as const, location: exportFolder };
			const record = recordOf(await backend.exportServer(serverOf(site), run(), { place }));
			has(await backend.checklist(record), []);
			await backend.setChecklistItem(record, "cacheTiles", true);
			await backend.setChecklistItem(record, "logs", true);
			await backend.setChecklistItem(record, "logs", false);
			has(await backend.checklist(record), ["cacheTiles"]);
		},
	},
	{
		name: "what is asked of a record that the history does not have is unexpected",
		play: async (backend) => {
			await refuses(backend.recordDetails("none"), { kind: "unexpected" });
			await refuses(backend.recordAsCommand("none"), { kind: "unexpected" });
			await refuses(backend.importReport("none"), { kind: "unexpected" });
			await refuses(backend.setOutcome("none", "succeeded", ""), { kind: "unexpected" });
			await refuses(backend.checkOutcome("none"), { kind: "unexpected" });
		},
	},
];
