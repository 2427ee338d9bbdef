import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Backend } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { pastOf } from "@/test/past";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { ExportServer } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<ExportServer site={site} />, { world, ...options });
}

const here = () => screen.findByRole("button", { name: "Choose a destination and export" });

it("saves the stored export on this computer and shows its hash", async () => {
	const { user } = show();
	await user.click(await here());
	expect(await screen.findByText(/Exported City GIS and saved it on this computer/)).toBeVisible();
	expect(screen.getByText(/^\/home\/sam\/Documents\/.*\.agssite$/)).toBeVisible();
	expect(screen.getByText("SHA-256")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("names the file that an export here becomes, and its size as of the last one", async () => {
	const { user } = show();
	const file = within(await screen.findByRole("group", { name: "File" }));
	expect(file.getByText(/^City GIS [-\d ]+\.agssite$/)).toBeVisible();
	expect(file.queryByText(/as last time/)).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(await screen.findByText("Folder on the server"));
	expect(screen.queryByRole("group", { name: "File" })).toBeNull();
	await user.click(screen.getByText("This computer"));
	await user.click(await here());
	await user.click(await screen.findByRole("button", { name: "New export" }));
	expect(await screen.findByText(/About 214\.6 MB, as last time\.$/)).toBeVisible();
});

it("sends nothing when the dialog is closed", async () => {
	const { user } = show({ saveTo: null });
	await user.click(await here());
	expect(await screen.findByText(/Nothing was sent to City GIS/)).toBeVisible();
	expect(await here()).toBeEnabled();
});

it("writes to a folder on the server, and asks for its name first", async () => {
	const fail: MemoryOptions["fail"] = { exportServer: wrong("location", "required") };
	const { user } = show({ fail });
	await user.click(await screen.findByText("Folder on the server"));
	await user.click(screen.getByRole("button", { name: "Export server" }));
	expect(await screen.findByText("Enter a value.")).toBeVisible();
	delete fail.exportServer;
	await fill(user, screen.getByLabelText("Folder the server can write to"), "/backups");
	await user.click(screen.getByRole("button", { name: "Export server" }));
	expect(await screen.findByText(/^\/backups\/.*\.agssite$/)).toBeVisible();
});

it("keeps a checklist of what the export leaves out with its record", async () => {
	const { user, backend } = show();
	await user.click(await here());
	await user.click(await screen.findByRole("checkbox", { name: "Web adaptor configurations" }));
	expect(await screen.findByText("1 of 6 done")).toBeVisible();
	const [record] = await pastOf(backend, "city");
	expect(await backend.checklist(record?.id ?? "")).toEqual(["webAdaptors"]);
});

it("fills in the folder of the export that was sent last", async () => {
	const { user } = show();
	await user.click(await screen.findByText("Folder on the server"));
	await fill(user, screen.getByLabelText("Folder the server can write to"), "/backups");
	await user.click(screen.getByRole("button", { name: "Export server" }));
	await user.click(await screen.findByRole("button", { name: "New export" }));
	await user.clear(screen.getByLabelText("Folder the server can write to"));
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByLabelText("Folder the server can write to")).toHaveValue("/backups");
});

it("shows who else is working on the site", async () => {
	const busy = {
		kind: "busy",
		siteName: "City GIS",
		operation: "import_server",
		act: null,
		startedAt: Date.now(),
	} as const;
	const { user } = show({ fail: { exportServer: busy } });
	await user.click(await here());
	expect(await screen.findByText(/Server import/)).toBeVisible();
});

it("saves a stored export again after the dialog was closed, and says so from then on", async () => {
	const { site, world } = signedInSite();
	const open = fakeBackend({ world });
	const late: Backend = {
		...open,
		exportServer: async (...args) => {
			const ended = await open.exportServer(...args);
			if (ended.kind === "done") ended.report.saving = { kind: "dismissed" };
			return ended;
		},
	};
	const { user } = renderWith(<ExportServer site={site} />, late);
	await user.click(await here());
	expect(await screen.findByText(/The file is not saved on this computer yet$/)).toBeVisible();
	expect(screen.getByText("Completed with warnings")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Save…" }));
	expect(await screen.findByText(/^Exported City GIS in .* and saved it on this computer$/)).toBeVisible();
	expect(screen.getByText("Succeeded")).toBeVisible();
	expect(screen.queryByText(/not on this computer yet/)).toBeNull();
	expect(screen.queryByText(/Save it soon/)).toBeNull();
});

it("keeps the focus where the news is when the dialog is closed", async () => {
	const { user } = show({ saveTo: null });
	await user.click(await here());
	const news = await screen.findByText(/Nothing was sent to City GIS/);
	expect(news.closest("[tabindex]")).toHaveFocus();
});

it("says what the inventory has that was taken with the export, and what the server did not list", async () => {
	const { site, world } = signedInSite();
	const missingParts = [{ part: "machines" as const, reason: "Authorization failed." }];
	const { user } = renderWith(<ExportServer site={site} />, { world: { ...world, missingParts } });
	await user.click(await here());
	expect(
		await screen.findByText(/^Inventory taken\. Services: 32, webhooks: 5, data store items: \d+\./),
	).toBeVisible();
	expect(screen.getByText("Machines are missing from the inventory: Authorization failed.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("gives the reason or ticket to the history, once", async () => {
	const { user, backend } = show();
	await fill(user, await screen.findByLabelText("Reason or ticket (optional)"), "CHG-2291");
	await user.click(await here());
	await screen.findByText(/Exported City GIS/);
	expect((await pastOf(backend, "city"))[0]?.reason).toBe("CHG-2291");
	await user.click(screen.getByRole("button", { name: "New export" }));
	expect(await screen.findByLabelText("Reason or ticket (optional)")).toHaveValue("");
});

it.each(["empty", "cut", "damaged", "changed"] as const)(
	"does not call a saved file complete that is not a complete export: %s",
	async (fault) => {
		const exportVerification = {
			size: 0,
			entries: 0,
			unverifiedEntries: 0,
			isRecognized: true,
			fault,
			usualSize: null,
		};
		const { site, world } = signedInSite();
		const { user } = renderWith(<ExportServer site={site} />, { world: { ...world, exportVerification } });
		await user.click(await here());
		expect(await screen.findByRole("alert", { name: "The saved file is not a complete export" })).toBeVisible();
		expect(screen.queryByText(/, complete$/)).toBeNull();
	},
);

it.each([
	["notebook", "Notebooks, settings of containers, and jobs"],
	["dataPipelines", "Data pipelines, and the items that they created"],
] as const)("says what the export of a server of the type %s does not contain", async (kind, excluded) => {
	const { site, world } = signedInSite();
	const servers = site.servers.map((one) => ({ ...one, serverType: { kind } }));
	const { user } = renderWith(<ExportServer site={{ ...site, servers }} />, { world });
	await user.click(await screen.findByRole("button", { name: "Not included in the export" }));
	expect(screen.getByText(excluded)).toBeVisible();
});

it("shows what else the response of the server had, and why the inventory is not beside the file", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const { exportServer } = backend;
	backend.exportServer = async (...sent) => {
		const ended = await exportServer(...sent);
		const more = { further: ["took: 7 min"], inventoryUnwritten: "/home/sam/x.inventory.json: disk full" };
		return ended.kind === "done" ? { ...ended, report: { ...ended.report, ...more } } : ended;
	};
	const { user } = renderWith(<ExportServer site={site} />, backend);
	await user.click(await here());
	await user.click(await screen.findByRole("button", { name: "Further response" }));
	expect(screen.getByText("took: 7 min")).toBeVisible();
	expect(screen.getByText(/^The inventory could not be written beside the file\. .*disk full$/)).toBeVisible();
});
