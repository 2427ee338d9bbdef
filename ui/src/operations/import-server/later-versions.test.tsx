import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { GatedParameter, ImportReport } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { ReportView } from "@/components/import-report/report-view";
import { fill, press, renderWith, signedInSite } from "@/test/render";
import { ImportServer } from "./form";

/** Renders the form for a server without these parameters. */
function show(missing: readonly GatedParameter[] = []) {
	const { site, session, world } = signedInSite();
	const tooOld = { kind: "tooOld", needs: "11.3", has: "10.9.1" } as const;
	for (const one of session.operations) {
		if (one.operation === "import_server") {
			one.parameters = missing.map((parameter) => ({ parameter, reasons: [tooOld] }));
		}
	}
	const backend = fakeBackend({ world });
	const shown = renderWith(<ImportServer site={site} />, backend);
	return { ...shown, sent: vi.spyOn(backend, "importServer") };
}

const check = /^Check the file first/;
const restart = /^Restart the web server after the import \(recommended\)/;

async function send(user: ReturnType<typeof show>["user"]) {
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await press(user, "Replace City GIS");
	await screen.findByText(/^Imported into City GIS/);
}

it("restarts the web server unless that is cleared, and checks the file first only where that is selected", async () => {
	const { user, sent } = show();
	expect(await screen.findByRole("checkbox", { name: restart })).toBeChecked();
	expect(screen.getByRole("checkbox", { name: check })).not.toBeChecked();
	await user.click(screen.getByRole("checkbox", { name: restart }));
	await user.click(screen.getByRole("checkbox", { name: check }));
	await send(user);
	expect(sent.mock.calls[0]?.[2].options).toEqual({
		checkFirst: true,
		restartWebServer: false,
		throughWebAdaptor: false,
	});
});

it("offers neither where the version of the server does not have it", async () => {
	show(["validate", "restartWebServer"]);
	await screen.findByRole("checkbox", { name: /^Create a safety backup first/ });
	expect(screen.queryByRole("checkbox", { name: restart })).toBeNull();
	expect(screen.queryByRole("checkbox", { name: check })).toBeNull();
});

it("shows what else the response of the server had", async () => {
	const { site, world } = signedInSite();
	const report: ImportReport = {
		status: "success",
		counts: { errors: 0, failedServices: 0, warnings: 0, notes: 0 },
		sources: [],
		further: ["elapsedTime: 12 min"],
		safetyBackup: null,
		proof: null,
		reactivated: null,
	};
	const target = { site: site.id, server: site.currentServer };
	const { user } = renderWith(<ReportView target={target} report={report} record={null} />, { world });
	await user.click(await screen.findByRole("button", { name: "Further response" }));
	expect(screen.getByText("elapsedTime: 12 min")).toBeVisible();
});
