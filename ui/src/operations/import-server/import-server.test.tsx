import { Notifications } from "@mantine/notifications";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Backend, ImportReport, Problem, SiteView, UploadEnd } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { World } from "@/bridge/fake-backend/world";
import { useNavigation } from "@/lib/navigation";
import { serverOf } from "@/lib/target";
import { Leaving } from "@/test/leaving";
import { pastOf } from "@/test/past";
import { axeFindings, confirmStop, fill, press, renderWith, signedInPractice, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { ImportServer } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<ImportServer site={site} />, { world, ...options });
}

type User = ReturnType<typeof show>["user"];

const submit = () => screen.findByRole("button", { name: "Replace City GIS" });

async function fillIn(user: User) {
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
}

it("imports after the name is typed, and shows first what did not start", async () => {
	const { user } = show();
	expect(await submit()).toBeDisabled();
	await fillIn(user);
	expect(await axeFindings()).toEqual([]);
	await press(user, "Replace City GIS");
	expect(await screen.findByText(/^Imported into City GIS in .* did not start$/)).toBeVisible();
	expect(screen.getAllByText("Completed with warnings").length).toBeGreaterThan(0);
	expect(await axeFindings()).toEqual([]);
});

it("has the facts of its result in two columns, with the name of the file and what is left to do by hand", async () => {
	vi.setSystemTime(new Date(2026, 10, 28, 14, 16, 20));
	onTestFinished(() => void vi.useRealTimers());
	const { user } = show();
	await fillIn(user);
	await fill(user, screen.getByLabelText("Reason or ticket (optional)"), "CHG-2291");
	await press(user, "Replace City GIS");
	await screen.findByText(/^Imported into City GIS/);
	await screen.findByText(/· CHG-2291$/);
	const facts = screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]);
	expect(Object.fromEntries(facts)).toMatchObject({
		// The import started and ended in the same minute.
		Imported: expect.stringMatching(/^Nov 28, 2026, 2:16 PM\u00a0· \w+\u00a0· CHG-2291$/),
		File: expect.stringMatching(/\.agssite$/),
		Services: expect.stringMatching(/services? (is|are) running$/),
		"To do by hand": "Register the web adaptors with City GIS again.",
	});
});

it("keeps the mark of what was done by hand with its entry", async () => {
	const { user, backend } = show();
	await fillIn(user);
	await press(user, "Replace City GIS");
	await user.click(await screen.findByRole("checkbox", { name: "Register the web adaptors with City GIS again." }));
	const [record] = await pastOf(backend, "city");
	await waitFor(async () => expect(await backend.checklist(record?.id ?? "")).toEqual(["webAdaptors"]));
	expect(screen.getByRole("checkbox", { name: /^Register the web adaptors/ })).toBeChecked();
});

it("names the host that the import really goes to", async () => {
	const { site, world } = signedInSite();
	const importAddress = "https://machine.example.net:6443/arcgis";
	const elsewhere = { ...site, importAddresses: { [site.currentServer ?? ""]: importAddress } };
	renderWith(<ImportServer site={elsewhere} />, { world: { ...world, sites: [elsewhere] } });
	expect(await screen.findByText(`The requests are sent to ${importAddress}.`)).toBeVisible();
});

it("has one card for the import and the check of the whole site, whose headline is the check", async () => {
	const { site, world: signedIn } = signedInSite();
	const world = { ...seed(), ...signedIn };
	const { user, backend, queries } = renderWith(<ImportServer site={site} />, { world });
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByRole("status", { name: /Imported into City GIS/ })).toBeVisible();

	const record = (await pastOf(backend, "city"))[0]?.id ?? "";
	const times = { importStartedAt: Date.now(), importEndedAt: Date.now(), nextAt: null, unknownImportAt: null };
	world.siteProofs.set(site.id, { site: site.id, import: record, ...times, isWaiting: true, proof: null });
	await queries.invalidateQueries();
	const card = await screen.findByRole("status", { name: /^Checking whether the site is back/ });
	expect(within(card).getByText(/^Imported into City GIS in .* did not start$/)).toBeVisible();
	expect(within(card).getByText("Register the web adaptors with City GIS again.")).toBeVisible();
	expect(screen.queryByRole("status", { name: /Imported into City GIS/ })).toBeNull();
});

function WhereNow() {
	return <output>{JSON.stringify(useNavigation().place)}</output>;
}

it("leads to the export while the server stores nothing to import", async () => {
	const { site, world } = signedInSite();
	const page = (
		<>
			<ImportServer site={site} />
			<WhereNow />
		</>
	);
	const { user } = renderWith(page, { world: { ...world, uploads: [] } });
	expect(await screen.findByText(/This server has no uploads/)).toBeVisible();
	await user.click(await screen.findByRole("button", { name: "Go to Server export" }));
	expect(screen.getByText(/"export_server"/)).toBeInTheDocument();
});

it("says in both places that the server may remove what it stores", async () => {
	show();
	expect(await screen.findByText(/^Export files on the server.* Servers can delete uploads/)).toBeVisible();
	expect(screen.getByText(/while the server keeps the backup\. Servers can delete uploads/)).toBeVisible();
});

it("stays locked while the typed name is another", async () => {
	const { user } = show();
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await user.type(await screen.findByLabelText("Enter “City GIS” to confirm"), "City");
	expect(await submit()).toBeDisabled();
	expect(await screen.findByText("Enter the name first.")).toBeVisible();
});

it("quotes the server when it refuses, and keeps the file", async () => {
	const message = "The folder /gis/jobs does not exist.";
	const { user } = show({ fail: { importServer: { kind: "rejected", code: 500, message, details: [] } } });
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText(message)).toBeVisible();
	expect(screen.getByLabelText("Path of the file on the server")).toHaveValue("/backups/a.agssite");
});

const choose = async (user: User) => {
	await user.click(await screen.findByText("This computer"));
	await user.click(screen.getByRole("button", { name: "Choose and upload a file" }));
};

it("uploads a file of this computer, takes it, and imports nothing by that", async () => {
	const { user, backend } = show();
	await user.click(await screen.findByText("This computer"));
	expect(screen.getByText("Upload the file first.")).toBeVisible();
	await choose(user);
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
	expect(await screen.findByText("Enter the name first.")).toBeVisible();
	expect(await pastOf(backend, "city")).toEqual([]);
	expect(await axeFindings()).toEqual([]);
});

const harbour = { path: "/home/sam/harbour.agssite", name: "harbour.agssite", kind: "siteFile" } as const;

it("takes a file that was dropped onto the window, and uploads it when asked", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await screen.findByText("This computer");
	act(() => backend.happen.fileDrag({ kind: "dropped", file: harbour }));
	await user.click(await screen.findByRole("button", { name: "Upload harbour.agssite" }));
	expect(await screen.findByText(/^Uploaded harbour.agssite /)).toBeVisible();
	expect(screen.queryByRole("button", { name: "Upload harbour.agssite" })).toBeNull();
});

it("lists what the server stores, newest first, with dates that can be read", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("combobox", { name: "Uploaded file" }));
	const names = (await screen.findAllByRole("option")).map((option) => option.textContent);
	expect(names[0]).toMatch(/^Nov-20-2026_02-00-05.agssite · 20 Nov|^Nov-20-2026_02-00-05.agssite · Nov 20/);
	expect(names[1]).toMatch(/^Nov-13-2026/);
});

it("says of the chosen file how large it is and where it is on this computer", async () => {
	const { world } = signedInSite();
	const { user, backend } = show();
	const [upload] = await backend.listUploads(cityServer);
	const choose = async () => {
		await user.click(await screen.findByRole("combobox", { name: "Uploaded file" }));
		await user.click((await screen.findAllByRole("option"))[0] as HTMLElement);
	};
	await choose();
	expect(await screen.findByText("Size: 214.6 MB.")).toBeVisible();
	cleanup();
	const localFiles = new Map([[upload?.id ?? "", "/home/sam/Documents/city.agssite"]]);
	const again = show({ world: { ...world, localFiles } });
	await again.user.click(await screen.findByRole("combobox", { name: "Uploaded file" }));
	await again.user.click(await screen.findByRole("option", { name: new RegExp(`^${upload?.name}`) }));
	expect(await screen.findByText(/On this computer: \/home\/sam\/Documents\/city\.agssite$/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it.each([
	["is offered ticked where this computer has room", "production", true, true],
	["is left to the user where it has none", "production", false, false],
	["is not asked for in practice, whose exports are on this computer", "practice", true, false],
] as const)("a copy of the safety backup %s", async (_, environment, roomForCopy, ticked) => {
	const { site, world } = signedInSite();
	const own = { ...site, environment };
	renderWith(<ImportServer site={own} />, { world: { ...world, sites: [own], roomForCopy } });
	const copy = await screen.findByRole("checkbox", { name: "Also save the safety backup on this computer" });
	if (ticked) await waitFor(() => expect(copy).toBeChecked());
	else expect(copy).not.toBeChecked();
});

it("keeps the decision of the user about a copy of the safety backup", async () => {
	const { user, backend } = show();
	const copy = await screen.findByRole("checkbox", { name: "Also save the safety backup on this computer" });
	await waitFor(() => expect(copy).toBeChecked());
	await user.click(copy);
	expect(copy).not.toBeChecked();
	const sent = vi.spyOn(backend, "importServer");
	await fillIn(user);
	await press(user, "Replace City GIS");
	await screen.findByText(/^Imported into City GIS/);
	expect(sent.mock.calls[0]?.[2]).toMatchObject({ safetyBackup: { alsoHere: false } });
});

it("fills in the file of the import that was sent last, and nothing that confirms", async () => {
	const { user } = show();
	await fillIn(user);
	await press(user, "Replace City GIS");
	await user.click(await screen.findByRole("button", { name: "New import" }));
	await user.click(await screen.findByText("Server uploads"));
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByLabelText("Path of the file on the server")).toHaveValue("/backups/a.agssite");
	expect(await submit()).toBeDisabled();
});

it("shows how far an upload is, stops it, and goes on with it later", async () => {
	const { site, world } = signedInSite();
	const slow = fakeBackend({ world, endless: ["uploadForImport"] });
	let first = true;
	const backend: Backend = {
		...slow,
		uploadForImport: (id, run, source) => {
			if (first) {
				first = false;
				return slow.uploadForImport(id, run, source);
			}
			return Promise.resolve({ kind: "uploaded", item: "i9", name: "city.agssite", size: 214_600_000 });
		},
	};
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await choose(user);
	expect(await screen.findByRole("progressbar", { name: "Progress of the upload" })).toBeVisible();
	expect(screen.getByText(/^Uploading .* of 214.6 MB$/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await confirmStop(user, "Stop upload");
	expect(await screen.findByText("The upload was stopped. The site was not changed.")).toBeVisible();
	await user.click(
		await screen.findByRole("button", { name: "Resume the upload of /home/sam/Documents/city.agssite" }),
	);
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
});

it("resumes an upload once when its button is pressed twice, and takes it", async () => {
	const { site, world } = signedInSite();
	const path = "/home/sam/Documents/city.agssite";
	const unfinishedUploads = [{ item: "i9", path, size: 214_600_000, done: 107_300_000 }];
	let end: (end: UploadEnd) => void = () => {};
	const busy: Problem = {
		kind: "busy",
		siteName: "City GIS",
		operation: "import_server",
		act: "upload",
		startedAt: Date.now(),
	};
	const uploadForImport = vi
		.fn<Backend["uploadForImport"]>()
		.mockReturnValueOnce(new Promise((resolve) => (end = resolve)))
		.mockRejectedValue(busy);
	const backend = { ...fakeBackend({ world: { ...world, unfinishedUploads } }), uploadForImport };
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await user.click(await screen.findByText("This computer"));
	const resume = await screen.findByRole("button", { name: `Resume the upload of ${path}` });
	await user.dblClick(resume);
	expect(resume).toBeDisabled();
	expect(screen.getByRole("button", { name: `Discard the upload of ${path}` })).toBeDisabled();
	await act(async () => end({ kind: "uploaded", item: "i9", name: "city.agssite", size: 214_600_000 }));
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
	expect(uploadForImport).toHaveBeenCalledOnce();
});

it("says that a complete upload was not deleted, and lists it among the server uploads", async () => {
	const { site, world } = signedInSite();
	const path = "/home/sam/Documents/city.agssite";
	const unfinishedUploads = [{ item: "i9", path, size: 214_600_000, done: 107_300_000 }];
	const uploads = [{ id: "i9", name: "city.agssite", description: "", date: "1764000000000", here: null }];
	const backend = fakeBackend({ world: { ...world, unfinishedUploads, uploads } });
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await user.click(await screen.findByText("This computer"));
	await user.click(await screen.findByRole("button", { name: `Discard the upload of ${path}` }));
	expect(
		await screen.findByText(/^The server has the complete file city.agssite.* The file was not deleted/),
	).toBeVisible();
	expect(screen.queryByRole("button", { name: `Resume the upload of ${path}` })).toBeNull();
});

it("takes what was uploaded while its page was left and entered again", async () => {
	const { site, world } = signedInSite();
	let end: (end: UploadEnd) => void = () => {};
	const uploadForImport: Backend["uploadForImport"] = () => new Promise((resolve) => (end = resolve));
	const { user } = renderWith(
		<Leaving>
			<ImportServer site={site} />
		</Leaving>,
		{ ...fakeBackend({ world }), uploadForImport },
	);
	await choose(user);
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByText("Upload the file first.")).toBeVisible();
	end({ kind: "uploaded", item: "i9", name: "city.agssite", size: 214_600_000 });
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
	expect(await screen.findByText("Enter the name first.")).toBeVisible();
});

it("offers the file that was dropped elsewhere, and not the one that was uploaded before", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const { user } = renderWith(
		<Leaving>
			<ImportServer site={site} />
		</Leaving>,
		backend,
	);
	await choose(user);
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Leave" }));
	act(() => backend.happen.fileDrag({ kind: "dropped", file: harbour }));
	for (const _ of ["the first time", "and again"]) {
		await user.click(screen.getByRole("button", { name: "Enter" }));
		expect(await screen.findByRole("button", { name: "Upload harbour.agssite" })).toBeVisible();
		expect(screen.queryByText(/^Uploaded city.agssite /)).toBeNull();
		expect(screen.getByText("Upload the file first.")).toBeVisible();
		await user.click(screen.getByRole("button", { name: "Leave" }));
	}
	await user.click(screen.getByRole("button", { name: "Enter" }));
	await user.click(await screen.findByRole("button", { name: "Upload harbour.agssite" }));
	expect(await screen.findByText(/^Uploaded harbour.agssite /)).toBeVisible();
	expect(await screen.findByText("Enter the name first.")).toBeVisible();
});

it("says that an upload has ended after another file was dropped, and imports neither by that", async () => {
	const { site, world } = signedInSite();
	let end: (end: UploadEnd) => void = () => {};
	const backend = fakeBackend({ world });
	const uploadForImport: Backend["uploadForImport"] = () => new Promise((resolve) => (end = resolve));
	const { user } = renderWith(<ImportServer site={site} />, { ...backend, uploadForImport });
	await choose(user);
	act(() => backend.happen.fileDrag({ kind: "dropped", file: harbour }));
	expect(await screen.findByText(/harbour.agssite. Uploading it/)).toBeVisible();
	await act(async () => end({ kind: "uploaded", item: "i9", name: "city.agssite", size: 214_600_000 }));
	expect(await screen.findByText(/^Uploaded city.agssite /)).toBeVisible();
	expect(screen.getByRole("button", { name: "Upload harbour.agssite" })).toBeEnabled();
	expect(screen.getByText("Upload the file first.")).toBeVisible();
});

/** Import form that can be left and opened again, and the notifications of the window. */
function Dropping({ site }: { site: SiteView }) {
	const [here, setHere] = useState(true);
	return (
		<>
			<Notifications />
			<button type="button" onClick={() => setHere(false)}>
				leave
			</button>
			{here ? <ImportServer site={site} /> : null}
		</>
	);
}

it("shows the form in place of a report when a file is dropped, and says so", async () => {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const { user } = renderWith(<Dropping site={site} />, backend);
	await fillIn(user);
	await press(user, "Replace City GIS");
	await screen.findByText(/^Imported into City GIS/);
	act(() => backend.happen.fileDrag({ kind: "dropped", file: harbour }));
	expect(await screen.findByRole("button", { name: "Upload harbour.agssite" })).toBeVisible();
	expect(screen.queryByText(/^Imported into City GIS/)).toBeNull();
	expect(
		await screen.findByText(/^The form now contains harbour.agssite\. The previous result was closed/),
	).toBeVisible();
	expect(await screen.findByLabelText("Enter “City GIS” to confirm")).toHaveValue("");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "leave" }));
	await waitFor(() => expect(screen.queryByText(/^The form now contains/)).toBeNull());
});

it("keeps a file that is dropped while an import runs for the form, and shows the report of that import first", async () => {
	const { site, world } = signedInSite();
	const real = fakeBackend({ world });
	let finish = () => {};
	const importServer: Backend["importServer"] = (...order) =>
		new Promise((resolve) => (finish = () => resolve(real.importServer(...order))));
	const { user } = renderWith(<Dropping site={site} />, { ...real, importServer });
	await fillIn(user);
	await press(user, "Replace City GIS");
	await screen.findByText("Running: Server import on City GIS");
	act(() => real.happen.fileDrag({ kind: "dropped", file: harbour }));
	expect(await screen.findByText(/^harbour.agssite will be entered in the form/)).toBeVisible();
	finish();
	expect(await screen.findByText(/^Imported into City GIS/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "New import" }));
	expect(await screen.findByRole("button", { name: "Upload harbour.agssite" })).toBeVisible();
});

it("calls an upload unknown whose response was lost, and says where to look for it", async () => {
	const { site, world } = signedInSite();
	const problem: Problem = { kind: "unreachable", stage: "wait", message: "connection closed" };
	const unfinished = { item: "i1", path: "/home/sam/city.agssite", size: 10, done: 10 };
	const backend: Backend = {
		...fakeBackend({ world }),
		uploadForImport: async () => ({ kind: "unknown", problem, unfinished }),
	};
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await choose(user);
	const said = await screen.findByRole("status", { name: /Outcome unknown: the server might have received the file/ });
	expect(said).toHaveTextContent("Check the server uploads before you upload the file again.");
	await user.click(within(said).getByRole("button", { name: "Why the outcome is unknown" }));
	expect(await screen.findByText("No response received")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("does not import the file before when the one that was chosen instead did not arrive", async () => {
	const { site, world } = signedInSite();
	const ends: UploadEnd[] = [
		{ kind: "uploaded", item: "i1", name: "old.agssite", size: 10 },
		{ kind: "dismissed" },
		{ kind: "unknown", problem: null, unfinished: null },
	];
	const backend: Backend = {
		...fakeBackend({ world }),
		uploadForImport: async () => ends.shift() ?? { kind: "dismissed" },
	};
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await choose(user);
	const other = await screen.findByRole("button", { name: "Choose another file" });
	expect(screen.getByText(/^Uploaded old.agssite /)).toBeVisible();
	await user.click(other);
	expect(await screen.findByText(/^Uploaded old.agssite /)).toBeVisible();

	await user.click(screen.getByRole("button", { name: "Choose another file" }));

	await screen.findByRole("status", { name: /Outcome unknown: the server might have received the file/ });
	expect(screen.queryByText(/^Uploaded old.agssite /)).toBeNull();
	expect(screen.getByText("Upload the file first.")).toBeVisible();
});

/** Uploads a file of a type that the server rejects. */
async function uploadRejectedType({ site, world }: ReturnType<typeof signedInSite>) {
	const problem: Problem = { kind: "extensionNotAllowed", extension: "agssite", allowed: ["soe", "sd", "csv"] };
	const backend: Backend = {
		...fakeBackend({ world }),
		uploadForImport: async () => ({ kind: "failed", problem, unfinished: null, tooLong: false }),
	};
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await choose(user);
}

it("says how a server can be made to take a type of file that it does not take", async () => {
	await uploadRejectedType(signedInSite());
	expect(await screen.findByText("soe, sd, csv")).toBeVisible();
	expect(screen.getByText(/^Add agssite to the system property uploadFileExtensionAllowedList/)).toBeVisible();
});

it("names the switch of the practice site for a type of file instead of a system property", async () => {
	await uploadRejectedType(signedInPractice());
	expect(await screen.findByText(/^Select “Accept \.agssite uploads” on the page Simulated faults/)).toBeVisible();
	expect(screen.queryByText(/system property/)).toBeNull();
});

it("offers smaller parts where a web server may have rejected one for its length", async () => {
	const { site, world } = signedInSite();
	const problem: Problem = { kind: "unreadable", expected: "a stored part", excerpt: "HTTP 413" };
	const uploadForImport = vi.fn<Backend["uploadForImport"]>(async () => ({
		kind: "failed",
		problem,
		unfinished: null,
		tooLong: true,
	}));
	const { user } = renderWith(<ImportServer site={site} />, { ...fakeBackend({ world }), uploadForImport });
	await choose(user);

	await user.click(await screen.findByRole("button", { name: "Upload again in parts of about 1 MB" }));

	await waitFor(() => expect(uploadForImport).toHaveBeenCalledTimes(2));
	expect(uploadForImport).toHaveBeenLastCalledWith(
		serverOf(site),
		expect.objectContaining({ id: expect.any(String) }),
		{
			kind: "choose",
			partMebibytes: 1,
		},
	);
	const again = () => screen.queryByRole("button", { name: /^Upload again in parts/ });
	await waitFor(() => expect(again()).toBeNull());
});

it("never says that nothing has to be typed before the site has said what will change", async () => {
	const { user } = show({ fail: { previewImport: { kind: "rejected", code: 500, message: "Busy.", details: [] } } });
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	expect(await screen.findByText("Busy.")).toBeVisible();
	expect(screen.queryByText(/nothing has to be typed/)).toBeNull();
	expect(screen.queryByText("Enter the name first.")).toBeNull();
	expect(await submit()).toBeDisabled();
	expect(await screen.findByText("Wait until the change summary is available.")).toBeVisible();
});

it("asks for nothing to be typed on the practice site", async () => {
	const { site: practice, world } = signedInPractice();
	const { user } = renderWith(<ImportServer site={practice} />, { world });
	expect(await screen.findByText("The practice site requires no confirmation.")).toBeVisible();
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await waitFor(async () => expect(await submit()).toBeEnabled());
});

it("saves the report and says where", async () => {
	const { user } = show();
	await fillIn(user);
	await press(user, "Replace City GIS");
	await user.click(await screen.findByRole("button", { name: "Save report" }));
	await user.click(await screen.findByRole("menuitem", { name: "Save as HTML" }));
	expect(await screen.findByText(/\.html$/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Save report" }));
	await user.click(await screen.findByRole("menuitem", { name: "Save audit package (ZIP)" }));
	expect(await screen.findByText("Saved audit package")).toBeVisible();
	expect(screen.getByText(/\.zip$/)).toBeVisible();
});

it("tells an import in one card, with its undo in it, and counts once what did not start", async () => {
	const { user } = show();
	await fillIn(user);
	await press(user, "Replace City GIS");
	const card = await screen.findByRole("status", { name: /did not start$/ });
	expect(within(card).getByRole("region", { name: "Services after the import" })).toBeVisible();
	expect(within(card).getByRole("button", { name: "Undo this import" })).toBeEnabled();
	expect(within(card).getAllByText(/services? did not start/)).toHaveLength(1);
	expect(within(card).queryByText(/^Not started: /)).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("exports first unless that is ticked off, and undoes the import after the name is typed", async () => {
	const { user, backend } = show();
	expect(await screen.findByRole("checkbox", { name: /^Create a safety backup first/ })).toBeChecked();
	await user.click(await screen.findByRole("button", { name: /^Not included in the export/ }));
	expect(await screen.findByText("Log messages.")).toBeVisible();
	await fillIn(user);
	await press(user, "Replace City GIS");
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	expect(screen.getByRole("button", { name: "Undo the import" })).toBeDisabled();
	expect(await axeFindings()).toEqual([]);
	expect(
		screen.getByText(/^The safety backup \(from \d.*\) replaces the configuration of the server site of /),
	).toBeVisible();
	await fill(user, screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Undo the import" }));
	expect(await screen.findByText("The import was undone, but 2 services did not start")).toBeVisible();
	expect(screen.getByRole("button", { name: "Open the import report" })).toBeVisible();
	// The result lists the services, and no longer offers the undo.
	expect(screen.getAllByText(/^Not started: /).length).toBeGreaterThan(0);
	expect(await screen.findByRole("region", { name: "Safety backup of this import" })).toBeVisible();
	expect(screen.queryByText("You can undo this import")).not.toBeInTheDocument();
	// The current result is on top; the report of the import is collapsed.
	await waitFor(() => expect(screen.queryByText(/^Imported into/)).not.toBeInTheDocument());
	await user.click(screen.getByRole("button", { name: "Report of the import before it was undone" }));
	expect(await screen.findByText(/^Imported into/)).toBeVisible();
	const history = await pastOf(backend);
	expect(history[0]?.parameters).toContainEqual({ name: "undoes", value: history[1]?.id });
	expect(await axeFindings()).toEqual([]);
});

it("says why the import was not sent when the way back is not there", async () => {
	const cause = { kind: "rejected", code: 500, message: "The store is locked.", details: [] } satisfies Problem;
	const { user } = show({ fail: { importServer: { kind: "safetyBackupFailed", step: "export", cause } } });
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText("The import was not sent")).toBeVisible();
	expect(screen.getByText("The store is locked.")).toBeVisible();
});

function answering(report: Partial<ImportReport>): Backend {
	const { world } = signedInSite();
	const counts = { errors: 0, failedServices: 0, warnings: 0, notes: 0 };
	const whole = {
		status: "success",
		counts,
		sources: [],
		safetyBackup: null,
		proof: null,
		reactivated: null,
		...report,
	};
	return {
		...fakeBackend({ world }),
		importServer: async () => ({ kind: "done", record: null, at: Date.now(), took: 1_000, report: whole }),
	};
}

it("claims nothing of services and of a report where none was returned", async () => {
	const silent = { source: "Services", messages: [] };
	for (const sources of [[], [silent]]) {
		const { site } = signedInSite();
		const { user, unmount } = renderWith(<ImportServer site={site} />, answering({ sources }));
		await fillIn(user);
		await press(user, "Replace City GIS");
		expect(await screen.findByText(/^Imported into City GIS in .*\. No report was returned$/)).toBeVisible();
		expect(screen.getByText("Check on the server whether all services are started.")).toBeVisible();
		expect(screen.queryByText(/service started/)).toBeNull();
		// Without a report, there is nothing to save, and nothing that the server does not keep.
		expect(screen.queryByText(/does not keep this report/)).toBeNull();
		expect(screen.queryByRole("button", { name: "Save report" })).toBeNull();
		unmount();
	}
});

it("says how many entries of the safety backup could not be verified, and what the server returned to it", async () => {
	const { site } = signedInSite();
	const saved = { path: "/home/sam/before.agssite", size: 1, sha256: "9f86d081884c7d65" };
	const safetyBackup = {
		upload: "i90b1",
		location: "https://gis.example.org/server/admin/uploads/i90b1",
		size: 1,
		entries: 3,
		unverifiedEntries: 2,
		isRecognized: true,
		warnings: ["servicesSkipped: 2"],
		further: ["took: 7 min"],
		saved,
		inventoryUnwritten: "/home/sam/before.inventory.json: disk full",
		record: null,
		takenAt: Date.now(),
	};
	const backend = answering({ safetyBackup });
	const importServer: Backend["importServer"] = async (...words) => {
		const ended = await backend.importServer(...words);
		return ended.kind === "done" ? { ...ended, record: "r1" } : ended;
	};
	const { user } = renderWith(<ImportServer site={site} />, { ...backend, importServer });
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText(/^The checksums of 2 entries could not be verified/)).toBeVisible();
	expect(screen.getByText("Warnings about the safety backup")).toBeVisible();
	expect(screen.getByText("servicesSkipped: 2")).toBeVisible();
	expect(screen.getByText(/^The inventory could not be written beside the file\. .*disk full$/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Further response to the safety backup" }));
	expect(screen.getByText("took: 7 min")).toBeVisible();
});

it("does not call an import done whose status is no success", async () => {
	const { site } = signedInSite();
	const { user } = renderWith(<ImportServer site={site} />, answering({ status: "failed", isFailed: true }));
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText(/ended after .* with the status “failed”$/)).toBeVisible();
	expect(screen.getByText("The server site might be partly replaced.")).toBeVisible();
	expect(screen.queryByText(/^Imported into/)).toBeNull();
});

it("says that an import was not sent that was stopped while it was secured, and keeps the form", async () => {
	const { user, backend } = show({ endless: ["importServer"] });
	await fillIn(user);
	await press(user, "Replace City GIS");
	await confirmStop(user, "Stop import");
	expect(await screen.findByText("Stopped before the import was sent to City GIS")).toBeVisible();
	expect(screen.getByLabelText("Path of the file on the server")).toHaveValue("/backups/a.agssite");
	expect(screen.queryByText(/Do not start it again/)).toBeNull();
	const [record] = await pastOf(backend, "city");
	expect(record?.outcome).toBe("notSent");
	expect(await axeFindings()).toEqual([]);
});

it("leads from an import that was not sent to the safety backup that was begun", async () => {
	const { site, world } = signedInSite();
	const notSent = { kind: "notSent", record: "r-2", backup: "r-1" } as const;
	const backend = { ...fakeBackend({ world }), importServer: async () => notSent };
	const { user } = renderWith(
		<>
			<ImportServer site={site} />
			<WhereNow />
		</>,
		backend,
	);
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText("Stopped before the import was sent to City GIS")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Show the safety backup in the history" }));
	expect(screen.getByText(/"record":"r-1"/)).toBeInTheDocument();
});

it("offers to undo an import that failed half way, where it stands", async () => {
	const cause: Problem = { kind: "rejected", code: 500, message: "The disk is full.", details: [] };
	const { user } = show({ fail: { importServer: { kind: "importFailed", cause, record: "r-1", canUndo: true } } });
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText(/^The site might be partly replaced\./)).toBeVisible();
	expect(screen.getByText("The disk is full.")).toBeVisible();
	expect(screen.getByRole("button", { name: "Undo this import" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

it("no longer says that an import failed half way once it was undone", async () => {
	const cause: Problem = { kind: "rejected", code: 500, message: "The disk is full.", details: [] };
	const { user } = show({ fail: { importServer: { kind: "importFailed", cause, record: "r-1", canUndo: true } } });
	await fillIn(user);
	await press(user, "Replace City GIS");
	expect(await screen.findByText("The import failed")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Undo this import" }));
	await fill(user, screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Undo the import" }));
	expect(await screen.findByText("The import was undone, but 2 services did not start")).toBeVisible();
	expect(screen.queryByText("The import failed")).toBeNull();
	expect(screen.queryByText(/might be partly replaced|You can undo the import with/)).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("says with what a failed import was undone, also to whoever comes back", async () => {
	const { site, world } = signedInSite();
	const cause: Problem = { kind: "rejected", code: 500, message: "The disk is full.", details: [] };
	const fail = { importServer: { kind: "importFailed", cause, record: "r-1", canUndo: true } as const };
	const { user } = renderWith(
		<Leaving>
			<ImportServer site={site} />
		</Leaving>,
		{ world, fail },
	);
	await fillIn(user);
	await press(user, "Replace City GIS");
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	await fill(user, screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Undo the import" }));
	await screen.findByText("The import was undone, but 2 services did not start");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	// The result is rendered again when the history is read.
	const undone = () => screen.getByText("The import was undone, but 2 services did not start");
	await waitFor(() => expect(undone()).toBeVisible());
	await waitFor(() => expect(screen.getByText(/^Not started: /)).toBeVisible());
	expect(screen.queryByText("The import failed")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("keeps saying that an import failed whose undo was not sent", async () => {
	const { site, world } = signedInSite();
	const cause: Problem = { kind: "rejected", code: 500, message: "The disk is full.", details: [] };
	const backend: Backend = {
		...fakeBackend({ world, fail: { importServer: { kind: "importFailed", cause, record: "r-1", canUndo: true } } }),
		undoImport: async () => ({ kind: "notSent", record: null, backup: null }),
	};
	const { user } = renderWith(<ImportServer site={site} />, backend);
	await fillIn(user);
	await press(user, "Replace City GIS");
	await user.click(await screen.findByRole("button", { name: "Undo this import" }));
	await fill(user, screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Undo the import" }));
	expect(await screen.findByText(/^Stopped before the import was sent/)).toBeVisible();
	expect(screen.getByText("The import failed")).toBeVisible();
});

it("says that an undo could not be written to the history, where it was done and where its outcome is unknown", async () => {
	const { site, world } = signedInSite();
	const cause: Problem = { kind: "rejected", code: 500, message: "The disk is full.", details: [] };
	const counts = { errors: 0, failedServices: 0, warnings: 0, notes: 0 };
	const report = { status: "success", counts, sources: [], safetyBackup: null, proof: null, reactivated: null };
	for (const end of [
		{ kind: "done", record: null, at: Date.now(), took: 10, report },
		{ kind: "unknown", record: null, stopped: true, problem: null, canUndo: false },
	] as const) {
		const backend: Backend = {
			...fakeBackend({
				world,
				fail: { importServer: { kind: "importFailed", cause, record: "r-1", canUndo: true } },
			}),
			undoImport: async () => end,
		};
		const { user, unmount } = renderWith(<ImportServer site={site} />, backend);
		await fillIn(user);
		await press(user, "Replace City GIS");
		await user.click(await screen.findByRole("button", { name: "Undo this import" }));
		await fill(user, screen.getByLabelText("Enter “City GIS” to undo the import"), "City GIS");
		await user.click(screen.getByRole("button", { name: "Undo the import" }));
		expect(await screen.findByRole("status", { name: "Not recorded in the history" })).toBeVisible();
		unmount();
	}
});

const newest = /^Nov-20-2026_02-00-05\.agssite/;

async function chooseStored(user: ReturnType<typeof show>["user"]) {
	await user.click(await screen.findByRole("combobox", { name: "Uploaded file" }));
	await user.click(await screen.findByRole("option", { name: newest }));
}

const removal = () => screen.findByRole("button", { name: "Delete the selected file from the server" });

it("deletes a stored file from the server after naming it and the site", async () => {
	const { user, backend } = show();
	expect(await removal()).toBeDisabled();
	await chooseStored(user);
	await user.click(await removal());
	const title = "Delete Nov-20-2026_02-00-05.agssite from City GIS?";
	const dialog = await screen.findByRole("dialog", { name: title });
	expect(dialog).toHaveTextContent("cannot be restored");
	expect(dialog).not.toHaveTextContent("safety backup");
	expect(await axeFindings()).toEqual([]);
	const confirm = within(dialog).getByRole("button", { name: "Delete file" });
	expect(confirm).toBeDisabled();
	await fill(user, within(dialog).getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(confirm);
	expect(await screen.findByText("Deleted Nov-20-2026_02-00-05.agssite from City GIS")).toBeVisible();
	expect((await backend.listUploads(cityServer)).map(({ name }) => name)).toEqual(["Nov-13-2026_02-00-07.agssite"]);
	expect((await pastOf(backend))[0]).toMatchObject({ operation: "delete_upload", outcome: "succeeded" });
	await user.click(screen.getByRole("combobox", { name: "Uploaded file" }));
	await waitFor(() => expect(screen.queryByRole("option", { name: newest })).toBeNull());
	expect(await submit()).toBeDisabled();
	expect(await axeFindings()).toEqual([]);
});

it("names the import that cannot be undone without the file", async () => {
	const { site, world } = signedInSite();
	const whole: World = { ...seed(), ...world, history: [] };
	note(whole, site, "import_server", { parameters: [{ name: "safetyBackup", value: "i77b0e2d5" }] });
	const { user } = renderWith(<ImportServer site={site} />, { world: whole });
	await chooseStored(user);
	await user.click(await removal());
	expect(await screen.findByText(/is the safety backup of the import of .*you cannot undo that import/)).toBeVisible();
});

it("keeps a file in the list that the server does not delete", async () => {
	const { user } = show({ fail: { deleteUpload: { kind: "rejected", code: 500, message: "In use.", details: [] } } });
	await chooseStored(user);
	await user.click(await removal());
	await fill(user, within(await screen.findByRole("dialog")).getByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Delete file" }));
	expect(await screen.findByText("In use.")).toBeVisible();
	expect(screen.queryByText(/^Deleted /)).toBeNull();
});

it("shows an uploaded file that cannot be read, which cannot be selected, and the others", async () => {
	const { world } = signedInSite();
	const backend = fakeBackend({ world });
	const [readable] = await backend.listUploads(cityServer);
	if (!readable) throw new Error("no upload");
	const unreadable = { ...readable, id: "", name: "Unreadable.agssite" };
	const listing: Backend = { ...backend, listUploads: () => Promise.resolve([unreadable, unreadable, readable]) };
	const { user } = renderWith(<ImportServer site={signedInSite().site} />, listing);
	await user.click(await screen.findByRole("combobox", { name: "Uploaded file" }));
	const options = await screen.findAllByRole("option", { name: /^Unreadable.agssite .* cannot be read/ });
	expect(options).toHaveLength(2);
	for (const option of options) expect(option).toHaveAttribute("data-combobox-disabled", "true");
	await user.click(options[0] as HTMLElement);
	expect(screen.getByRole("combobox", { name: "Uploaded file" })).toHaveValue("");
	await user.click(screen.getByRole("option", { name: new RegExp(`^${readable.name}`) }));
	expect(screen.getByRole("combobox", { name: "Uploaded file" })).not.toHaveValue("");
});

it("lists the entries of a stored file, and of a file on this computer, and finds them by name", async () => {
	const { user } = show();
	await user.click(await screen.findByText("This computer"));
	await user.click(screen.getByRole("button", { name: "Look into a file on this computer…" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText("Entries: 3, in 2 folders.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await fill(user, dialog.getByLabelText("Search names"), "zoning");
	expect(dialog.getByText("services/Parcels/Zoning.MapServer.json")).toBeVisible();
	expect(dialog.queryByText("manifest.json")).toBeNull();
	await user.click(dialog.getByRole("button", { name: "Close" }));
	await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("says that an archive has entries of one name, which an import might read either of", async () => {
	const { user, backend } = show();
	const entries = { path: "/srv/a.agssite", count: 1, repeated: 1, names: ["manifest.json"], fault: null };
	vi.spyOn(backend, "listExportEntries").mockResolvedValue(entries);
	await user.click(await screen.findByText("This computer"));
	await user.click(screen.getByRole("button", { name: "Look into a file on this computer…" }));
	const dialog = within(await screen.findByRole("dialog"));
	expect(dialog.getByText("Entries: 1, in 0 folders.")).toBeVisible();
	expect(dialog.getByRole("alert")).toHaveTextContent("1 entry has the same name as another one");
	expect(dialog.getAllByRole("listitem")).toHaveLength(1);
});

it("marks the safety backup among the stored files, by which it is known", async () => {
	const upload = (id: string, isSafetyBackup: boolean) => ({
		id,
		name: `${id}.agssite`,
		description: "",
		date: "",
		here: { name: null, size: null, at: Date.UTC(2026, 10, 20), isSafetyBackup },
	});
	const { site, world } = signedInSite();
	const uploads = [upload("export", false), upload("before", true)];
	const { user } = renderWith(<ImportServer site={site} />, { world: { ...world, uploads } });
	await user.click(await screen.findByRole("combobox", { name: "Uploaded file" }));
	expect(await screen.findByRole("option", { name: /before\.agssite.*safety backup/ })).toBeVisible();
	expect(screen.getByRole("option", { name: /export\.agssite/ })).not.toHaveAccessibleName(/safety backup/);
});
