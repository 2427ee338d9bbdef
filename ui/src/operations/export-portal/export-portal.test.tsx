import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeBackend } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { practiceExports } from "@/bridge/fake-backend/world";
import { type RunStore, useRunStore } from "@/lib/runs";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, confirmStop, fill, renderWith, signedInSite } from "@/test/render";
import { ExportPortal } from "./form";
import { Report } from "./report";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, session, world } = signedInSite();
	return renderWith(<ExportPortal site={site} session={session} />, { world, ...options });
}

const folder = () => screen.findByLabelText("Folder the portal can write to");

it("says where the export is", async () => {
	const { user } = show();
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText(/Exported City GIS in/)).toBeVisible();
	expect(screen.getByText(/^\/backups\/.*\.portalsite$/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("shows the size and the checksum of an export on this computer, and of none elsewhere", async () => {
	const { user, backend } = show();
	const asked = vi.spyOn(backend, "fileFacts");
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText(/Exported City GIS in/)).toBeVisible();
	expect(asked).not.toHaveBeenCalled();
	cleanup();

	const { site, session, world } = signedInSite();
	const here = { ...site, portal: "https://127.0.0.1:7443/portal" };
	const local = renderWith(<ExportPortal site={here} session={session} />, { world: { ...world, sites: [here] } });
	await local.user.type(await folder(), practiceExports);
	await local.user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText("Size: 214.6 MB")).toBeVisible();
	expect(screen.getByText(/^9f86d081884c7d65/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("has no key of an account in memory once its form was sent or left", async () => {
	const { site, session, world } = signedInSite();
	let store: RunStore | undefined;
	function Page() {
		store = useRunStore();
		return (
			<Leaving>
				<ExportPortal site={site} session={session} />
			</Leaving>
		);
	}
	const { user, queries } = renderWith(<Page />, { world });
	const key = () => screen.getByLabelText("Account key", { exact: true });
	await user.click(await screen.findByText("Blob container"));
	await fill(user, screen.getByLabelText("Account name"), "citybackup");
	await fill(user, key(), "very-secret");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByLabelText("Account name")).toHaveValue("citybackup");
	expect(key()).toHaveValue("");

	await fill(user, screen.getByLabelText("Container URL"), "https://city.blob.example.net/backups");
	await fill(user, screen.getByLabelText("Account endpoint"), "blob.example.net");
	await fill(user, screen.getByLabelText("Folder of the pointer file"), "/backups");
	await fill(user, key(), "very-secret");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await screen.findByText(/Exported City GIS in/);
	const remembered = () =>
		JSON.stringify([
			store?.state("export_portal", { site: site.id, server: null }),
			queries
				.getQueryCache()
				.getAll()
				.map(({ queryKey, state }) => [queryKey, state.data]),
			queries
				.getMutationCache()
				.getAll()
				.map(({ state }) => state.variables),
		]);
	await waitFor(() => expect(remembered()).not.toContain("very-secret"));
	await user.click(screen.getByRole("button", { name: "New export" }));
	expect(await screen.findByLabelText("Account name")).toHaveValue("citybackup");
	expect(key()).toHaveValue("");
});

it("leads from a check of a blob container to the form, whose key is entered again", async () => {
	const { user, backend } = show();
	const sent = vi.spyOn(backend, "exportPortal");
	await user.click(await screen.findByText("Blob container"));
	await fill(user, screen.getByLabelText("Container URL"), "https://city.blob.example.net/backups");
	await fill(user, screen.getByLabelText("Account name"), "citybackup");
	await fill(user, screen.getByLabelText("Account endpoint"), "blob.example.net");
	await fill(user, screen.getByLabelText("Account key", { exact: true }), "very-secret");
	await fill(user, screen.getByLabelText("Folder of the pointer file"), "/backups");
	await user.click(screen.getByRole("button", { name: "Check the destination" }));
	await screen.findByText(/^The portal can write to/);
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByLabelText("Account key", { exact: true })).toHaveValue("");
	expect(sent).toHaveBeenCalledTimes(1);
});

it("offers what was sent last, but for the key, which must be typed again", async () => {
	const { user } = show();
	await user.click(await screen.findByText("Blob container"));
	await fill(user, screen.getByLabelText("Container URL"), "https://city.blob.example.net/backups");
	await fill(user, screen.getByLabelText("Account name"), "citybackup");
	await fill(user, screen.getByLabelText("Account key", { exact: true }), "very-secret");
	await fill(user, screen.getByLabelText("Account endpoint"), "blob.example.net");
	await fill(user, screen.getByLabelText("Folder of the pointer file"), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await screen.findByText(/Exported City GIS in/);
	await user.click(screen.getByRole("button", { name: "New export" }));
	await user.click(screen.getByText("Folder"));
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByLabelText("Account name")).toHaveValue("citybackup");
	expect(screen.getByLabelText("Container URL")).toHaveValue("https://city.blob.example.net/backups");
	expect(screen.getByLabelText("Account key", { exact: true })).toHaveValue("");
	expect(screen.getByText("Enter the key again: it is not saved.")).toBeVisible();
});

it("does not speak of an effect when a check was stopped", async () => {
	const { site, session, world } = signedInSite();
	const stopped = { kind: "unknown", record: null, stopped: true, problem: null, canUndo: false } as const;
	const backend = { ...fakeBackend({ world }), exportPortal: async () => stopped };
	const { user } = renderWith(<ExportPortal site={site} session={session} />, backend);
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Check the destination" }));
	expect(
		await screen.findByText("You stopped waiting for the check. If the portal supports checks, nothing was exported."),
	).toBeVisible();
	expect(screen.queryByText(/might still be processing|Do not repeat the operation/)).toBeNull();
	expect(screen.getByRole("button", { name: "New export" })).toBeVisible();
});

it("misses a record of an export, also of one that a check made, and none of a check that exported nothing", async () => {
	const { site, session, world } = signedInSite();
	const done = { kind: "done", record: null, at: Date.now(), took: 10 } as const;
	for (const [report, missed] of [
		[{ status: "checked" }, 0],
		[{ status: "written", location: "/backups/a.portalsite", isUrl: false }, 1],
	] as const) {
		const ended = { ...done, report: { outcome: report, inventory: null } };
		const backend = { ...fakeBackend({ world }), exportPortal: async () => ended };
		const { user, unmount } = renderWith(<ExportPortal site={site} session={session} />, backend);
		await fill(user, await folder(), "/backups");
		await user.click(screen.getByRole("button", { name: "Check the destination" }));
		await screen.findByText("Succeeded");
		expect(screen.queryAllByText("Not recorded in the history")).toHaveLength(missed);
		unmount();
	}
});

it("keeps a checklist of what the export leaves out with its record", async () => {
	const { user, backend } = show();
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await user.click(await screen.findByRole("checkbox", { name: "Federated servers" }));
	expect(await screen.findByText("1 of 2 done")).toBeVisible();
	const [record] = await pastOf(backend, "city");
	expect(await backend.checklist(record?.id ?? "")).toEqual(["servers"]);
});

it("says why a location cannot be checked first where the portal is too old", async () => {
	const { site, session, world } = signedInSite();
	const tooOld = { kind: "tooOld", needs: "11.1", has: "10.9.1" } as const;
	for (const one of session.operations) {
		if (one.operation === "export_portal") one.parameters = [{ parameter: "validate", reasons: [tooOld] }];
	}
	renderWith(<ExportPortal site={site} session={session} />, { world });
	expect(
		await screen.findByText(
			/cannot be checked in advance. Requires portal version 11.1 or later. This portal has version 10.9.1/,
		),
	).toBeVisible();
	expect(screen.getByRole("button", { name: "Check the destination" })).toBeDisabled();
});

it("shows warnings as a state of their own", async () => {
	const { user } = show();
	await fill(user, await folder(), "/warn");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText("Completed with warnings")).toBeVisible();
});

it("shows what a portal warns of when it checks a location", async () => {
	const { site, session, world } = signedInSite();
	const report = { status: "checkedWithWarnings", messages: ["The disk is almost full."] } as const;
	const done = { kind: "done", record: null, at: Date.now(), took: 10, report } as const;
	const backend = {
		...fakeBackend({ world }),
		exportPortal: async () => ({
			...done,
			report: { outcome: { ...report, messages: [...report.messages] }, inventory: null },
		}),
	};
	const { user } = renderWith(<ExportPortal site={site} session={session} />, backend);
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Check the destination" }));
	expect(await screen.findByText("Completed with warnings")).toBeVisible();
	expect(screen.getByText("The disk is almost full.")).toBeVisible();
	expect(screen.queryByText("Not recorded in the history")).toBeNull();
});

it("checks a location and offers to export there", async () => {
	const { user } = show();
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Check the destination" }));
	expect(await screen.findByText("The portal can write to /backups")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText(/Exported City GIS in/)).toBeVisible();
});

it("puts a fault under its field and keeps what was typed", async () => {
	const { user } = show({ fail: { exportPortal: wrong("bucket", "required") } });
	await user.click(await screen.findByText("Bucket"));
	await fill(user, screen.getByLabelText("Region"), "north-1");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText("Enter a value.")).toBeVisible();
	expect(screen.getByLabelText("Region")).toHaveValue("north-1");
});

it("quotes the portal when it refuses, as text and never as markup", async () => {
	const message = 'cannot write <img src=x onerror="alert(1)">';
	const { user, container } = show({ fail: { exportPortal: { kind: "rejected", code: 500, message, details: [] } } });
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText(message)).toBeVisible();
	expect(container.querySelector("img")).toBeNull();
	expect(await folder()).toHaveValue("/backups");
});

it("says how to find out when the answer is lost", async () => {
	const { user } = show({ endless: ["exportPortal"] });
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	await confirmStop(user, "Stop waiting");
	expect(await screen.findByText(/Check whether a new .portalsite file appears in \/backups/)).toBeVisible();
});

it("shows that the connection of a blob container is sent, and not its key", async () => {
	const { user, backend } = show();
	const fields = [{ name: "backupObjectStoreConnectionStr", value: null }];
	backend.previewRequests = async () => [{ method: "POST", url: "https://gis.example.org/portal", fields }];
	await user.click(await screen.findByText("Blob container"));
	await fill(user, screen.getByLabelText("Account name"), "citybackup");
	await fill(user, screen.getByLabelText("Account key", { exact: true }), "very-secret");
	await user.click(screen.getByRole("button", { name: "Request preview" }));
	const sent = await screen.findByRole("row", {
		name: (_, row) => row.textContent?.startsWith("backupObjectStoreConnectionStr") ?? false,
	});
	expect(sent).toHaveTextContent("••••••");
	expect(document.body.textContent).not.toContain("very-secret");
});

it("takes the focus along: to the run, and to what came of it", async () => {
	const { user } = show({ runMillis: 200 });
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	const running = await screen.findByText("Running: Portal export on City GIS");
	expect(running.closest("[tabindex]")).toHaveFocus();
	const done = await screen.findByText(/Exported City GIS in/);
	expect(done.closest("[tabindex]")).toHaveFocus();
});

it("says of a check that exported, that it exported", async () => {
	const { site, session, world } = signedInSite();
	const report = {
		outcome: { status: "written", location: "/backups/now.portalsite", isUrl: false },
		inventory: null,
	} as const;
	const done = { kind: "done", record: "r-1", at: Date.now(), took: 1_000, report } as const;
	const backend = { ...fakeBackend({ world }), exportPortal: async () => done };
	const { user } = renderWith(<ExportPortal site={site} session={session} />, backend);
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Check the destination" }));
	expect(await screen.findByText(/Exported City GIS in/)).toBeVisible();
	expect(screen.getByText(/exported the site instead of checking/)).toBeVisible();
	expect(screen.queryByText(/Nothing was written/)).toBeNull();
});

it("shows what the portal had after its export, and what it did not count", async () => {
	const { site, session, world } = signedInSite();
	world.portalInventory = {
		takenAt: Date.now(),
		items: 312,
		itemsByType: [{ type: "web map", count: 208 }],
		users: 31,
		groups: null,
		collaborations: 3,
		missing: [{ part: "groups", reason: "You do not have permissions" }],
	};
	const { user } = renderWith(<ExportPortal site={site} session={session} />, fakeBackend({ world }));
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));

	const inventory = within((await screen.findByText("Inventory")).nextElementSibling as HTMLElement);
	expect(inventory.getByText("Items: 312")).toBeVisible();
	expect(inventory.queryByText(/^Groups: \d/)).toBeNull();
	expect(inventory.getByText("Groups are missing from the inventory: You do not have permissions")).toBeVisible();
	await user.click(inventory.getByRole("button", { name: "Items by type" }));
	expect(await inventory.findByRole("row", { name: "web map 208" })).toBeVisible();
});

it("says of an export whose inventory was skipped that none was taken", async () => {
	const { site, session, world } = signedInSite();
	const report = {
		outcome: { status: "written", location: "/backups/now.portalsite", isUrl: false },
		inventory: null,
	} as const;
	const done = { kind: "done", record: "r-1", at: Date.now(), took: 1_000, report } as const;
	const { user } = renderWith(<ExportPortal site={site} session={session} />, {
		...fakeBackend({ world }),
		exportPortal: async () => done,
	});
	await fill(user, await folder(), "/backups");
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByText("No inventory was taken.")).toBeVisible();
});

it("exports to a directory of the portal where the version has that, and has nothing to check then", async () => {
	const { user, backend } = show();
	const sent = vi.spyOn(backend, "exportPortal");
	await user.click(await screen.findByText("Directory of the portal"));
	expect(screen.queryByLabelText("Folder the portal can write to")).toBeNull();
	expect(screen.getByRole("button", { name: "Check the destination" })).toBeDisabled();
	await user.click(screen.getByRole("button", { name: "Export portal" }));
	expect(await screen.findByRole("button", { name: "Copy URL" })).toBeVisible();
	expect(sent.mock.calls[0]?.[2]).toEqual({ target: { kind: "portal" }, checkOnly: false });
});

it("does not offer a directory of the portal to one that is too old", async () => {
	const { site, session, world } = signedInSite();
	const tooOld = { kind: "tooOld", needs: "12.0", has: "11.5" } as const;
	for (const one of session.operations) {
		if (one.operation === "export_portal") one.parameters = [{ parameter: "noLocation", reasons: [tooOld] }];
	}
	renderWith(<ExportPortal site={site} session={session} />, { world });
	expect(await screen.findByText("Blob container")).toBeVisible();
	expect(screen.queryByText("Directory of the portal")).toBeNull();
});

it("shows what else the response of the portal had", async () => {
	const { site, world } = signedInSite();
	const outcome = { status: "written", location: "/backups/a.portalsite", isUrl: false } as const;
	const report = { outcome, inventory: null, further: ["took: 7 min"] };
	const form = { target: { kind: "folder", location: "/backups" }, checkOnly: false } as const;
	const done = { kind: "done", record: null, at: Date.now(), took: 10, report, run: "run", form } as const;
	const { user } = renderWith(<Report site={site} done={done} exportNow={() => {}} />, { world });
	await user.click(await screen.findByRole("button", { name: "Further response" }));
	expect(screen.getByText("took: 7 min")).toBeVisible();
});
