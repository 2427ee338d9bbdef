import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ImportReport } from "@/bridge";
import { serverOf } from "@/lib/target";
import { renderWith, signedInSite } from "@/test/render";
import { Undone } from "./undo-import";

const { site, world } = signedInSite();
const nothing = { errors: 0, failedServices: 0, warnings: 0, notes: 0 };

function show(report: Partial<ImportReport>) {
	const whole = {
		status: "success",
		counts: nothing,
		sources: [],
		safetyBackup: null,
		proof: null,
		reactivated: null,
		...report,
	};
	return renderWith(<Undone server={serverOf(site)} target={site.name} report={whole} record="r-1" />, { world });
}

it("says that the safety backup was imported, and claims nothing of the configuration", () => {
	show({});
	expect(screen.getByText("The import was undone: the safety backup was imported into City GIS.")).toBeVisible();
	expect(screen.getByText("Succeeded")).toBeVisible();
	expect(screen.queryByText(/configuration/)).toBeNull();
});

it("shows what else the server returned to the import of the safety backup", async () => {
	const { user } = show({ further: ["elapsedTime: 12 min"] });
	await user.click(screen.getByRole("button", { name: "Further response" }));
	expect(screen.getByText("elapsedTime: 12 min")).toBeVisible();
});

it.each([
	[{ errors: 1 }, "The import was undone, with 1 error"],
	[{ failedServices: 2 }, "The import was undone, but 2 services did not start"],
	[{ warnings: 3 }, "The import was undone, with 3 warnings"],
])("does not call an undo with %j a success", (counts, title) => {
	show({ counts: { ...nothing, ...counts } });
	expect(screen.getByText(title)).toBeVisible();
	expect(screen.getByText("Completed with warnings")).toBeVisible();
});

const webhooks = { services: 1, active: 0, gone: [], failed: [], unknown: [], notRead: null, inactive: null };
const notActive = { service: "Roads.FeatureServer", webhook: "Notify", message: "No." };
const check = { checkedAt: 1, services: 3, shouldRun: 3, running: 3, notRunning: [], unknown: 0, unlisted: [] };
const proof = { check, later: [], servicesBefore: 3, lost: [] };

it("does not call an undo a success that left webhooks inactive, and names them", () => {
	show({ reactivated: { ...webhooks, failed: [notActive] } });
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.getByText("The import was undone, but not all webhooks of City GIS were active again")).toBeVisible();
	expect(screen.getByText(/Notify.*No\./)).toBeVisible();
});

it("does not call webhooks of an undo inactive whose states are not known", () => {
	show({ reactivated: { ...webhooks, active: 2, unknown: [notActive] } });
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(
		screen.getByText("The import was undone, but some webhooks of City GIS might have been inactive"),
	).toBeVisible();
	expect(screen.queryByText(/not all webhooks/)).toBeNull();
});

it.each([
	[
		"that do not run",
		{ check: { ...check, running: 2, notRunning: [{ service: "Roads.FeatureServer", state: "FAILED" }] } },
	],
	["that are missing", { lost: ["Roads.FeatureServer"] }],
])("does not call an undo a success after which there are services %s", (_, now) => {
	show({ proof: { ...proof, ...now } });
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	expect(screen.getByText(/Roads\.FeatureServer/)).toBeVisible();
});

it("does not call an import undone whose undo ended with another status", () => {
	show({ status: "failed", isFailed: true });
	expect(screen.getByRole("alert")).toHaveTextContent(
		"Undoing the import into City GIS ended with the status “failed”",
	);
	expect(screen.getByText("The server site might be partly replaced.")).toBeVisible();
	expect(screen.queryByText(/was undone/)).toBeNull();
});
