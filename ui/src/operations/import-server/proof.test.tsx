import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { ImportProof, ServiceCheck } from "@/bridge";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { Proof } from "./proof";

const zoning = { service: "Parcels/Zoning.MapServer", state: "FAILED" };

function check(changes: Partial<ServiceCheck> = {}): ServiceCheck {
	return { checkedAt: Date.now(), services: 32, shouldRun: 32, running: 31, notRunning: [zoning], ...changes };
}

function show(proof: ImportProof, serviceCheck?: ServiceCheck) {
	const { site, world } = signedInSite();
	const shown = renderWith(<Proof site={site} record="r-1" proof={proof} />, {
		world: serviceCheck ? { ...world, serviceCheck } : world,
	});
	return { ...shown, checked: vi.spyOn(shown.backend, "checkServicesAgain") };
}

it("says how many services run after the import, which does not, and what is missing", async () => {
	show({ check: check(), later: [], servicesBefore: 34, lost: ["Water/Mains.MapServer"] });
	expect(await screen.findByText("31 of 32 services run")).toBeVisible();
	expect(screen.getByText("Parcels/Zoning.MapServer does not run (state: FAILED).")).toBeVisible();
	expect(screen.getByText("Services before the import: 34. Services now: 32.")).toBeVisible();
	expect(screen.getByText("1 service of the export is missing on the server:")).toBeVisible();
	expect(screen.getByText("Water/Mains.MapServer")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("checks again a minute later, and shows that everything runs by then", async () => {
	const started = check({ checkedAt: Date.now() - 61_000 });
	show({ check: started, later: [], servicesBefore: 32, lost: [] }, check({ running: 32, notRunning: [] }));
	expect(await screen.findByText("32 of 32 services run")).toBeVisible();
	expect(screen.queryByText(/does not run/)).toBeNull();
});

it("shows the last check that the record keeps, and the earlier ones on request", async () => {
	const day = 24 * 3_600_000;
	const first = check({ checkedAt: Date.now() - day });
	const later = [check({ checkedAt: Date.now() - day + 60_000, running: 32, notRunning: [] })];
	const { user, checked } = show({ check: first, later, servicesBefore: 32, lost: [] });
	expect(await screen.findByText("32 of 32 services run")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Earlier checks" }));
	expect(await screen.findByText(/31 of 32 services run/)).toBeVisible();
	expect(checked).not.toHaveBeenCalled();
});

it("does not check again once that is stopped", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	const { checked, user } = show({ check: check(), later: [], servicesBefore: null, lost: null });
	await user.click(await screen.findByRole("button", { name: "Stop checking" }));
	await vi.advanceTimersByTimeAsync(6 * 60_000);
	expect(checked).not.toHaveBeenCalled();
	expect(screen.getByText("31 of 32 services run")).toBeVisible();
});

it("does not check an import of yesterday again", async () => {
	const yesterday = check({ checkedAt: Date.now() - 24 * 3_600_000 });
	const { checked } = show({ check: yesterday, later: [], servicesBefore: null, lost: null });
	expect(await screen.findByText("31 of 32 services run")).toBeVisible();
	expect(screen.queryByRole("button", { name: "Stop checking" })).toBeNull();
	expect(checked).not.toHaveBeenCalled();
});

it("says that the services could not be checked", async () => {
	show({ check: null, later: [], servicesBefore: 32, lost: null });
	expect(await screen.findByText("The services could not be checked after the import.")).toBeVisible();
});
