import { readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import type {
	DeactivateReport,
	DeactivateWebhooksForm,
	ExportPortalForm,
	ExportServerForm,
	ImportPortalForm,
	ImportReport,
	ImportServerForm,
	OperationKey,
	Outcome,
	PortalExportReport,
	PortalImportReport,
	Problem,
	RefreshReport,
	RunResult,
	ServerExportReport,
	UpdateReport,
} from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import type { Done } from "@/components/operation-screen";
import { Report as DeactivateReportView } from "@/operations/deactivate-webhooks/report";
import { useActions, useReactivation } from "@/operations/deactivate-webhooks/use-reactivation";
import { Report as PortalExport } from "@/operations/export-portal/report";
import { Report as ServerExport } from "@/operations/export-server/report";
import { Report as PortalImport } from "@/operations/import-portal/report";
import { Report as ServerImport } from "@/operations/import-server/report";
import { Report as Refresh } from "@/operations/refresh-invitation/report";
import { Report as Update } from "@/operations/update-participant/report";
import { renderWith, signedInSite } from "@/test/render";

/** Result of a command in a case of `tests/interleavings`, with the outcome in the history and the panel. */
interface Told {
	operation: OperationKey;
	outcome: Outcome;
	end: RunResult<unknown>;
}

const told: readonly Told[] = JSON.parse(readFileSync("../tests/fixtures/ends.json", "utf8"));
const { site, world } = signedInSite();

const words: Partial<Record<Outcome, string>> = {
	succeeded: "Succeeded",
	warnings: "Completed with warnings",
	failed: "Failed",
};

interface Noticed {
	outcome: Outcome;
	problem: Problem;
	isRecorded: boolean;
}

/** Returns the statement of a notice that is untrue; `null` if there is none. */
function untrue(text: string, { outcome, problem, isRecorded }: Noticed): string | null {
	const isUnsent = /Nothing was sent|(was|is) not sent/.test(text);
	const isUnchanged = isUnsent || /Nothing was (changed|imported)/.test(text);
	if (outcome === "notSent") return isUnchanged ? null : "it does not say that nothing was sent";
	// A request that was sent has an entry in the history: with one, *not sent* is untrue. If the check before an
	// import failed, there is none.
	if (outcome === "failed" && problem.kind !== "importFailed") return isUnsent && isRecorded ? "it was sent" : null;
	return isUnchanged ? "the site might have changed" : null;
}

// A search changes nothing, so its notice states no effect.
const notices = told.flatMap(({ operation, outcome, end }) =>
	end.kind === "failed" && operation !== "find_items"
		? [{ outcome, problem: end.problem, isRecorded: end.record !== null }]
		: [],
);
const different = [...new Map(notices.map((one) => [JSON.stringify(one), one])).values()];

test.each(different)("the notice of $problem.kind says of the site what its record says: $outcome", (one) => {
	renderWith(<ProblemNotice problem={one.problem} outcome={one.outcome} />);
	expect(untrue(screen.getByRole("alert").textContent, one)).toBeNull();
});

function reportOf(operation: OperationKey, report: unknown): ReactNode {
	const done = <R, F>(form: F) =>
		({ kind: "done", run: "run", record: "r-1", at: 2_000, took: 1_000, form, report }) as unknown as Done<R, F>;
	switch (operation) {
		case "export_portal": {
			const form: ExportPortalForm = { target: { kind: "folder", location: "/srv" }, checkOnly: false };
			return <PortalExport site={site} done={done<PortalExportReport, typeof form>(form)} exportNow={() => {}} />;
		}
		case "export_server": {
			const form: ExportServerForm = { place: { kind: "serverFolder", location: "/srv" } };
			return <ServerExport site={site} done={done<ServerExportReport, typeof form>(form)} />;
		}
		case "import_server": {
			const form = { location: "/a.agssite", confirmation: "", safetyBackup: null, deactivateWebhooks: null };
			return <ServerImport site={site} done={done<ImportReport, ImportServerForm>(form)} />;
		}
		case "import_portal": {
			const form = { location: "/a", exportVersion: null, safetyBackup: null, confirmation: "", checkOnly: false };
			return <PortalImport site={site} done={done<PortalImportReport, ImportPortalForm>(form)} />;
		}
		case "deactivate_webhooks": {
			const form = { services: [], why: "", confirmation: "" };
			return <Deactivation done={done<DeactivateReport, DeactivateWebhooksForm>(form)} />;
		}
		case "update_participant": {
			const [contactFirstname, contactLastname, contactEmailAddress] = ["Kim", "Ito", "kim@example.org"];
			const form = {
				collaborationId: "c1",
				participantId: "p1",
				contactFirstname,
				contactLastname,
				contactEmailAddress,
			};
			const names = { portal: "Harbour", collaboration: "Regional" };
			return <Update at={2_000} form={form} report={report as UpdateReport} before={null} names={names} />;
		}
		case "refresh_invitation":
			return <Refresh site={site.id} at={2_000} report={report as RefreshReport} invitation={null} />;
		case "find_items":
			return null;
	}
}

function Deactivation({ done }: { done: Done<DeactivateReport, DeactivateWebhooksForm> }) {
	const actions = useActions(site);
	return <DeactivateReportView site={site} done={done} actions={actions} reactivate={useReactivation(site, actions)} />;
}

// A search has no entry in the history.
const reports = told.flatMap(({ operation, outcome, end }) =>
	end.kind === "done" && operation !== "find_items" ? [{ operation, outcome, report: end.report }] : [],
);

test.each(reports)("the report of $operation has the outcome of its record: $outcome", async (one) => {
	renderWith(reportOf(one.operation, one.report), { world });
	const [said] = await screen.findAllByText(/^(Succeeded|Completed with warnings|Failed|Unknown|Not sent)$/);
	expect(said?.textContent).toBe(words[one.outcome]);
});
