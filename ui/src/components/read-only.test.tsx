import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { UndoImport } from "@/operations/import-server/undo-import";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { ReadOnly } from "./read-only";

function locked() {
	const { site, world } = signedInSite();
	const readOnly = { ...site, readOnly: true };
	return { site: readOnly, world: { ...world, sites: [readOnly] } };
}

it("unlocks with a reason only", async () => {
	const { site, world } = locked();
	const fail: MemoryOptions["fail"] = { unlockSite: wrong("reason", "tooShort") };
	const { user, backend } = renderWith(<ReadOnly site={site} />, { world, fail });
	await user.click(screen.getByRole("button", { name: "Unlock for 15 minutes" }));
	expect(await screen.findByText("Enter a reason of at least 3 characters.")).toBeVisible();
	expect((await backend.listSites())[0]?.unlockedUntil).toBeNull();
	delete fail.unlockSite;
	await fill(user, screen.getByLabelText("Reason"), "Receiver moves");
	await user.click(screen.getByRole("button", { name: "Unlock for 15 minutes" }));
	expect(await axeFindings()).toEqual([]);
	expect((await backend.listSites())[0]?.unlockedUntil).toBeGreaterThan(Date.now());
	expect((await pastOf(backend))[0]).toMatchObject({ operation: "unlock", note: "Receiver moves" });
});

it("locks again before the time is over", async () => {
	const { site, world } = locked();
	const unlocked = { ...site, unlockedUntil: Date.now() + 60_000 };
	const { user, backend } = renderWith(<ReadOnly site={unlocked} />, { world: { ...world, sites: [unlocked] } });
	await user.click(screen.getByRole("button", { name: "Lock" }));
	expect((await backend.listSites())[0]?.unlockedUntil).toBeNull();
});

it("an import is undone only while the site is unlocked, and why is said", async () => {
	const { site, world } = locked();
	const { unmount } = renderWith(<UndoImport site={site} target={site.name} record="r" />, { world });
	expect(screen.getByRole("button", { name: "Undo this import" })).toBeDisabled();
	expect(screen.getByText("This site is read-only. Unlock the site to use this operation.")).toBeVisible();
	unmount();
	renderWith(<UndoImport site={{ ...site, unlockedUntil: Date.now() + 60_000 }} target="City GIS" record="r" />, {
		world,
	});
	expect(screen.getByRole("button", { name: "Undo this import" })).toBeEnabled();
	expect(screen.queryByText(/read-only/)).toBeNull();
});
