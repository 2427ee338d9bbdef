import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { ImportProof, ServiceCheck } from "@/bridge";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { Proof } from "./proof";

const zoning = { service: "Parcels/Zoning.MapServer", state: "FAILED" };

function check(changes: Partial<ServiceCheck> = {}): ServiceCheck {
	return { checkedAt: Date.now(), services: 32, shouldRun: 32, running: 31, notRunning: [zoning], ...changes };
}

function show(proof: ImportProof, serviceCheck?: ServiceCheck) {
	const { site, world } = signedInSite();
	const full = { ...seed(), ...world, ...(serviceCheck && { serviceCheck }) } as World;
	const { id } = note(full, site, "import_server");
	const shown = renderWith(<Proof site={site} record={id} proof={proof} />, { world: full });
	return { ...shown, checked: vi.spyOn(shown.backend, "checkServicesAgain") };
}

it("says how many services run after the import, which does not, and what is missing", async () => {
	show({ check: check(), later: [], servicesBefore: 34, lost: ["Water/Mains.MapServer"] });
	expect(await screen.findByText("31 of 32 services are running")).toBeVisible();
	expect(screen.getByText("Parcels/Zoning.MapServer is not running (state: FAILED).")).toBeVisible();
	expect(screen.getByText("Services before the import: 34. Services now: 32.")).toBeVisible();
	expect(screen.getByText("1 service of the export is missing on the server:")).toBeVisible();
	expect(screen.getByText("Water/Mains.MapServer")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("checks again a minute later, and shows that everything runs by then", async () => {
	const started = check({ checkedAt: Date.now() - 61_000 });
	show({ check: started, later: [], servicesBefore: 32, lost: [] }, check({ running: 32, notRunning: [] }));
	expect(await screen.findByText("32 of 32 services are running")).toBeVisible();
	expect(screen.queryByText(/is not running/)).toBeNull();
});

it("makes each check once, and none after everything runs", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	const { checked, backend } = show({ check: check(), later: [], servicesBefore: 32, lost: [] }, check());
	await vi.advanceTimersByTimeAsync(2 * 60_000);
	await waitFor(() => expect(checked).toHaveBeenCalledTimes(1));
	vi.mocked(backend.checkServicesAgain).mockResolvedValue(
		check({ checkedAt: Date.now() + 4 * 60_000, running: 32, notRunning: [] }),
	);
	await vi.advanceTimersByTimeAsync(5 * 60_000);
	expect(await screen.findByText("32 of 32 services are running")).toBeVisible();
	await vi.advanceTimersByTimeAsync(20 * 60_000);
	expect(checked).toHaveBeenCalledTimes(2);
});

it("does not check again once that is stopped", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	const { checked, user } = show({ check: check(), later: [], servicesBefore: null, lost: null });
	await user.click(await screen.findByRole("button", { name: "Stop checking" }));
	await vi.advanceTimersByTimeAsync(6 * 60_000);
	expect(checked).not.toHaveBeenCalled();
	expect(screen.getByText("31 of 32 services are running")).toBeVisible();
});

it("does not check an import of yesterday again", async () => {
	const yesterday = check({ checkedAt: Date.now() - 24 * 3_600_000 });
	const { checked } = show({ check: yesterday, later: [], servicesBefore: null, lost: null });
	expect(await screen.findByText("31 of 32 services are running")).toBeVisible();
	expect(screen.queryByRole("button", { name: "Stop checking" })).toBeNull();
	expect(checked).not.toHaveBeenCalled();
});

it("says that the services could not be checked", async () => {
	show({ check: null, later: [], servicesBefore: 32, lost: null });
	expect(await screen.findByText("The services could not be checked after the import.")).toBeVisible();
});
