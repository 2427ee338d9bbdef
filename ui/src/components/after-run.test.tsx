import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { AfterRun } from "./after-run";

async function show(options: Parameters<typeof fakeBackend>[0] = {}) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world, ...options });
	const target = { kind: "folder", location: "/backups" } as const;
	const ended = await backend.exportPortal(site.id, newRun(), { target, checkOnly: false });
	const record = ended.kind === "done" ? ended.record : null;
	return renderWith(<AfterRun record={record} again={{ label: "New export", onAgain: () => {} }} />, backend);
}

it("saves the audit package and says where", async () => {
	const { user } = await show();
	await user.click(screen.getByRole("button", { name: "Save audit package" }));
	expect(await screen.findByText("/home/sam/Documents/City GIS evidence.zip")).toBeVisible();
	expect(screen.getByRole("button", { name: "Show in folder" })).toBeVisible();
	expect(screen.getByRole("button", { name: "New export" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

it("says that nothing was saved when the dialog is closed", async () => {
	const { user } = await show({ saveTo: null });
	await user.click(screen.getByRole("button", { name: "Save audit package" }));
	expect(await screen.findByText(/No audit package was saved/)).toBeVisible();
});

it("shows what went over the wire, the token masked", async () => {
	const { user } = await show();
	await user.click(screen.getByRole("button", { name: "Request and response" }));
	expect(await screen.findByText(/^POST https:/)).toBeVisible();
	expect(screen.getByRole("row", { name: "token ***" })).toBeVisible();
	expect(screen.getByText(/"status": "success"/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("says why the record cannot be read, and tries again", async () => {
	const { user } = await show({ fail: { recordDetails: { kind: "unexpected", message: "no such record" } } });
	await user.click(screen.getByRole("button", { name: "Request and response" }));
	expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
});
