import { fireEvent, screen } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { renderWith } from "@/test/render";
import { AuditTrail } from "./audit-trail";
import { noFilters, searchFor } from "./filters";

const search = searchFor(noFilters);
const head = `site-steward history 7f3a seq 4711 sha256 ${"2c".repeat(32)}`;

function trail(change: Partial<{ verifiedThrough: number; brokenAt: number[] }> = {}) {
	const backend = fakeBackend();
	vi.spyOn(backend, "trailStatus").mockResolvedValue({ head, verifiedThrough: 4711, brokenAt: [], ...change });
	renderWith(<AuditTrail search={search} />, backend);
	return backend;
}

test("the history says up to which entry the audit trail was verified, and offers its head", async () => {
	trail();
	await screen.findByText("Verified up to entry 4,711");
	screen.getByRole("button", { name: "Copy head" });
	expect(screen.queryByRole("alert")).toBeNull();
});

test("a broken chain is shown with the entry at which it does not hold", async () => {
	trail({ brokenAt: [51, 1204] });
	const alert = await screen.findByRole("alert");
	expect(alert.textContent).toContain("51 and 1,204");
});

test("a verification shows its result", async () => {
	const backend = trail({ verifiedThrough: 0 });
	await screen.findByText("Not yet verified");
	vi.spyOn(backend, "verifyTrail").mockResolvedValue({ head, verifiedThrough: 4712, brokenAt: [] });
	fireEvent.click(screen.getByRole("button", { name: "Verify now" }));
	await screen.findByText("Verified up to entry 4,712");
});

test("the audit trail is saved in the selected format, for the search of the page", async () => {
	const backend = trail();
	const save = vi.spyOn(backend, "saveTrail");
	fireEvent.click(await screen.findByRole("button", { name: "Save audit trail…" }));
	fireEvent.click(await screen.findByRole("menuitem", { name: "RFC 5424 (syslog)" }));
	await vi.waitFor(() => expect(save).toHaveBeenCalledWith(search, "syslog"));
});
