import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { Checklist } from "./checklist";

const items = [
	{ id: "logs", label: "Log messages" },
	{ id: "tiles", label: "Cache tiles", hint: "Copy them by hand." },
];

async function aRecord(options: Parameters<typeof fakeBackend>[0] = {}) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world, ...options });
	const target = { kind: "folder", location: "/backups" } as const;
	const ended = await backend.exportPortal(site.id, newRun(), { target, checkOnly: false });
	return { backend, record: ended.kind === "done" ? ended.record : null };
}

it("keeps what is ticked off with the record", async () => {
	const { backend, record } = await aRecord();
	const { user, unmount } = renderWith(<Checklist record={record} title="Left out" items={items} />, backend);
	expect(await screen.findByText("0 of 2 done")).toBeVisible();
	await user.click(screen.getByRole("checkbox", { name: "Log messages" }));
	expect(await screen.findByText("1 of 2 done")).toBeVisible();
	await waitFor(async () => expect(await backend.checklist(record ?? "")).toEqual(["logs"]));
	expect(await axeFindings()).toEqual([]);
	unmount();
	renderWith(<Checklist record={record} title="Left out" items={items} />, backend);
	expect(await screen.findByText("1 of 2 done")).toBeVisible();
	expect(screen.getByRole("checkbox", { name: "Log messages" })).toBeChecked();
});

it("takes a tick back that could not be written, and says why", async () => {
	const { backend, record } = await aRecord({
		fail: { setChecklistItem: { kind: "unexpected", message: "disk full" } },
	});
	const { user } = renderWith(<Checklist record={record} title="Left out" items={items} />, backend);
	await user.click(await screen.findByRole("checkbox", { name: "Cache tiles" }));
	expect(await screen.findByRole("alert")).toBeVisible();
	await waitFor(() => expect(screen.getByRole("checkbox", { name: "Cache tiles" })).not.toBeChecked());
});

it("says that marks without a history entry are not saved", async () => {
	const { user } = renderWith(<Checklist record={null} title="Left out" items={items} />);
	await user.click(screen.getByRole("checkbox", { name: "Log messages" }));
	expect(await screen.findByText("1 of 2 done")).toBeVisible();
	expect(screen.getByText(/marks are not saved/)).toBeVisible();
});
