import { screen, within } from "@testing-library/react";
import type { ReactElement } from "react";
import type { HistoryKey } from "@/bridge";
import { note } from "@/bridge/fake-backend/history";
import { importReport } from "@/bridge/fake-backend/import-report";
import { seed } from "@/bridge/fake-backend/seed";
import { Facts } from "@/features/history/facts";
import { renderWith, signedInSite } from "@/test/render";
import { Report as PortalExport } from "./export-portal/report";
import { Report as ServerExport } from "./export-server/report";
import { Report as PortalImport } from "./import-portal/report";
import { Report as ServerImport } from "./import-server/report";

const { site, world: signedIn } = signedInSite();
const endedAt = Date.now();

/** The run began a minute before its entry was written. */
const run = (record: string) => ({ kind: "done", record, at: endedAt, took: 912_000 }) as const;

const outcome = { status: "written", location: "/b/a" } as const;
const results: readonly [HistoryKey, (record: string) => ReactElement][] = [
	[
		"export_portal",
		(record) => {
			const target = { kind: "folder", location: "/b", credentials: null } as const;
			const form = { target, checkOnly: false } as never;
			return (
				<PortalExport
					site={site}
					done={{ ...run(record), form, report: { outcome, inventory: null } }}
					exportNow={() => undefined}
				/>
			);
		},
	],
	[
		"export_server",
		(record) => {
			const report = { outcome, saving: null, inventory: null, verification: null };
			return <ServerExport site={site} done={{ ...run(record), form: {} as never, report }} />;
		},
	],
	[
		"import_portal",
		(record) => {
			const report = { checkOnly: false, warned: false, messages: [], safetyBackup: null, proof: null };
			return <PortalImport site={site} done={{ ...run(record), form: {} as never, report }} />;
		},
	],
	[
		"import_server",
		(record) => {
			const form = { location: "/b/a", confirmation: "", safetyBackup: null, deactivateWebhooks: null };
			return <ServerImport site={site} done={{ ...run(record), form, report: importReport() }} />;
		},
	],
];

it.each(results)("the result of %s names the duration that the history has", async (operation, result) => {
	const world = { ...seed(), ...signedIn, history: [] };
	const entry = note(world, site, operation, { startedAt: endedAt - 912_000, endedAt, elapsed: 852_000 });
	renderWith(
		<>
			{result(entry.id)}
			<Facts entry={entry} />
		</>,
		{ world },
	);
	expect(await screen.findByText(/ in 14 min 12 s/)).toBeVisible();
	expect(within(screen.getByRole("table", { name: "Facts" })).getByText("14 min 12 s")).toBeVisible();
	expect(screen.queryByText(/15 min/)).toBeNull();
});

it("a result without an entry names the duration of its run", async () => {
	const report = { checkOnly: false, warned: false, messages: [], safetyBackup: null, proof: null };
	renderWith(<PortalImport site={site} done={{ ...run(""), record: null, form: {} as never, report }} />);
	expect(await screen.findByText(/ in 15 min 12 s/)).toBeVisible();
});
