import { expect, test } from "vitest";
import type { ImportProof, ImportReport, ServiceCheck } from "@/bridge";
import { outcomeOf } from "./verdict";

const counts = { errors: 0, failedServices: 0, warnings: 0, notes: 1 };
const clean: ImportReport = {
	status: "success",
	safetyBackup: null,
	proof: null,
	reactivated: null,
	counts,
	sources: [],
};
const check: ServiceCheck = { checkedAt: 1, services: 32, shouldRun: 32, running: 32, notRunning: [] };
const none: ServiceCheck = { ...check, services: 0, shouldRun: 0, running: 0 };
const proof: ImportProof = { check, later: [], servicesBefore: 32, lost: [] };
const stopped = { ...check, running: 31, notRunning: [{ service: "Parcels/Zoning.MapServer", state: "STOPPED" }] };

test.each<[string, ImportProof | null, string]>([
	["whose services all run", proof, "succeeded"],
	["that was not checked, because it was stopped", null, "succeeded"],
	["whose services cannot be listed", { ...proof, check: null }, "warnings"],
	["with a service that does not run", { ...proof, check: stopped }, "warnings"],
	["whose services run by the last check", { ...proof, check: stopped, later: [check] }, "succeeded"],
	["that lacks a service of the export", { ...proof, lost: ["Water/Mains.MapServer"] }, "warnings"],
	["of an unknown export after which there is no service", { ...proof, check: none, lost: null }, "warnings"],
	["of an export without services", { ...proof, check: none }, "succeeded"],
])("an import %s has the outcome that the history records", (_, found, outcome) => {
	expect(outcomeOf({ ...clean, proof: found })).toBe(outcome);
});

test("an import that the server made in place of a check is completed with warnings", () => {
	expect(outcomeOf({ ...clean, importedInstead: true })).toBe("warnings");
});
