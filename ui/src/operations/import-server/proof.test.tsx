import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { ImportProof, RecordId, ServiceCheck, SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { useSiteOverview } from "@/lib/queries/program";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { Proof, useLaterChecks } from "./proof";

const zoning = { service: "Parcels/Zoning.MapServer", state: "FAILED" };

function check(changes: Partial<ServiceCheck> = {}): ServiceCheck {
	return { checkedAt: Date.now(), services: 32, shouldRun: 32, running: 31, notRunning: [zoning], ...changes };
}

function Shown({ site, record, proof }: { site: SiteView; record: RecordId | null; proof: ImportProof }) {
	return <Proof site={site} proof={proof} later={useLaterChecks(site, record, proof)} />;
}

function show(proof: ImportProof, serviceCheck?: ServiceCheck) {
	const { site, world } = signedInSite();
	const full = { ...seed(), ...world, ...(serviceCheck && { serviceCheck }) } as World;
	const { id } = note(full, site, "import_server");
	const shown = renderWith(<Shown site={site} record={id} proof={proof} />, { world: full });
	return { ...shown, checked: vi.spyOn(shown.backend, "checkServicesAgain") };
}

it("says how many services run after the import, which does not, and what is missing", async () => {
	show({ check: check(), later: [], servicesBefore: 34, lost: ["Water/Mains.MapServer"] });
	expect(await screen.findByText("31 of 32 services are running")).toBeVisible();
	const down = screen.getByRole("table", { name: "Services that are not running" });
	expect(within(down).getByRole("row", { name: /Zoning.*FAILED/ })).toBeVisible();
	expect(screen.getByText("Services before the import: 34. Services now: 32.")).toBeVisible();
	expect(screen.getByText("1 service of the export is missing on the server:")).toBeVisible();
	expect(screen.getByText("Water/Mains.MapServer")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("checks again a minute later, and shows that everything runs by then", async () => {
	const started = check({ checkedAt: Date.now() - 61_000 });
	show({ check: started, later: [], servicesBefore: 32, lost: [] }, check({ running: 32, notRunning: [] }));
	expect(await screen.findByText("32 of 32 services are running")).toBeVisible();
	expect(screen.queryByRole("table")).toBeNull();
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

it("names what failed before what is stopped, each since it has been found so", async () => {
	const start = new Date("2026-11-27T08:59:00").getTime();
	const hydrants = { service: "Water/Hydrants.MapServer", state: "STOPPED" };
	const both = { running: 30, notRunning: [hydrants, zoning] };
	const first = check({ checkedAt: start, running: 30, notRunning: [hydrants, { ...zoning, state: "STARTING" }] });
	const later = [60_000, 300_000].map((after) => check({ checkedAt: start + after, ...both }));
	show({ check: first, later, servicesBefore: null, lost: [] });
	const [, failed, stopped] = within(await screen.findByRole("table")).getAllByRole("row");
	expect(failed).toHaveTextContent(/Zoning.MapServerFAILED.*09:00|Zoning.MapServerFAILED.*9:00/);
	expect(stopped).toHaveTextContent(/Hydrants.MapServerSTOPPED.*8:59/);
});

it("says that a later check failed, keeps what is known, and names the time of the next one", async () => {
	const started = check({ checkedAt: Date.now() - 61_000 });
	const { checked } = show({ check: started, later: [], servicesBefore: null, lost: [] });
	checked.mockRejectedValue({ kind: "unexpected", message: "gone" });
	expect(await screen.findByText(/^The check at .* failed\. The last known states are shown\.$/)).toBeVisible();
	expect(screen.getByRole("alert")).toBeVisible();
	expect(screen.getByText("31 of 32 services are running")).toBeVisible();
	const due = new Intl.DateTimeFormat("en-US", { minute: "2-digit" })
		.format(started.checkedAt + 300_000)
		.padStart(2, "0");
	expect(screen.getByText(/^The next check is at/)).toHaveTextContent(`:${due}`);
});

it.each(["with", "without"])(
	"has the overview read again after a later check of an import %s a record",
	async (how) => {
		const { site, world } = signedInSite();
		const full = { ...seed(), ...world, serviceCheck: check({ running: 32, notRunning: [] }) } as World;
		const record = how === "with" ? note(full, site, "import_server").id : null;
		const backend = fakeBackend({ world: full });
		const read = vi.spyOn(backend, "siteOverview");
		const started = check({ checkedAt: Date.now() - 61_000 });
		const Overview = () => (useSiteOverview(site.id).data ? <p>Read</p> : null);
		renderWith(
			<>
				<Overview />
				<Shown site={site} record={record} proof={{ check: started, later: [], servicesBefore: 32, lost: [] }} />
			</>,
			backend,
		);
		expect(await screen.findByText("32 of 32 services are running")).toBeVisible();
		await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(1));
	},
);
