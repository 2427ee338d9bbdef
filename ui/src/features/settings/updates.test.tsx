import { screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import type { Release, UpdateFault, UpdateStage } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { axeFindings, renderWith } from "@/test/render";
import { Updates } from "./about";

const release: Release = {
	version: "9.0.0",
	date: Date.UTC(2026, 10, 20, 12),
	notes: "Imports are faster.\n<img src=x onerror=alert(1)>",
};

function open(world: MemoryOptions["world"] = {}, options: MemoryOptions = {}) {
	const backend = fakeBackend({ ...options, world });
	return { ...renderWith(<Updates />, backend), backend };
}

const at = (stage: UpdateStage) => ({ updates: { stage, fault: null } });
const look = () => screen.findByRole("button", { name: "Check for updates" });

test("nothing is asked until somebody presses the button; the newest version is said", async () => {
	const backend = fakeBackend();
	const asked = vi.spyOn(backend, "checkForUpdate");
	const { user } = renderWith(<Updates />, backend);
	const button = await look();
	expect(button).toHaveAccessibleDescription(
		/The app contacts the publisher of Site Steward only when you select this button/,
	);
	expect(asked).not.toHaveBeenCalled();
	await user.click(button);
	expect(await screen.findByText("You have the latest version.")).toBeInTheDocument();
	expect(asked).toHaveBeenCalledOnce();
	expect(await axeFindings()).toEqual([]);
});

test("nothing stands between the heading and the button", async () => {
	open();
	const before = (await look()).parentElement?.previousElementSibling;
	expect(before).toBe(screen.getByRole("heading", { name: "Updates" }));
});

test("a copy that was built without a key says so and offers nothing to press", async () => {
	open(at({ kind: "noKey" }));
	expect(await screen.findByText(/does not check for updates/)).toBeInTheDocument();
	expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

test("where the organisation forbids it, the button says why it cannot be pressed", async () => {
	open(at({ kind: "forbidden" }));
	const button = await look();
	expect(button).toBeDisabled();
	expect(button).toHaveAccessibleDescription(/Updates are managed by your organization/);
	expect(await axeFindings()).toEqual([]);
});

test("a newer version is shown with its day and its notes as plain text, and installed once that is confirmed", async () => {
	const { user, backend, container } = open({ newest: { release, way: "here" } });
	const install = vi.spyOn(backend, "installUpdate");
	await user.click(await look());
	expect(await screen.findByText("Version 9.0.0 is available")).toBeInTheDocument();
	expect(screen.getByText("Published on November 20, 2026.")).toBeInTheDocument();
	expect(screen.getByText(/<img src=x onerror=alert\(1\)>/)).toBeInTheDocument();
	expect(container.querySelector("img")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Download and install…" }));
	expect(install).not.toHaveBeenCalled();
	const dialog = within(await screen.findByRole("dialog", { name: "Install version 9.0.0?" }));
	await user.click(dialog.getByRole("button", { name: "Install version" }));
	expect(await screen.findByText("Installed version 9.0.0")).toBeInTheDocument();
	expect(install).toHaveBeenCalledExactlyOnceWith("9.0.0");
	const restart = vi.spyOn(backend, "restartForUpdate");
	await user.click(screen.getByRole("button", { name: "Restart now" }));
	expect(restart).toHaveBeenCalledOnce();
	expect(await axeFindings()).toEqual([]);
});

test("what belongs to the system's packages is told of the newer version and installs nothing", async () => {
	const { user, backend } = open({ newest: { release, way: "elsewhere" } });
	await user.click(await look());
	expect(await screen.findByText("Version 9.0.0 is available")).toBeInTheDocument();
	expect(screen.getByText(/Update it with the package manager/)).toBeInTheDocument();
	expect(screen.queryByRole("button", { name: "Download and install…" })).not.toBeInTheDocument();
	const asked = vi.spyOn(backend, "checkForUpdate");
	await user.click(screen.getByRole("button", { name: "Check again" }));
	await waitFor(() => expect(asked).toHaveBeenCalledOnce());
});

test("a download shows how far it is, goes on while the page is away, and can be stopped", async () => {
	const newest = { release, way: "here" } as const;
	const { user, backend, unmount } = open(
		{ ...at({ kind: "newer", ...newest }), newest },
		{ endless: ["installUpdate"] },
	);
	await user.click(await screen.findByRole("button", { name: "Download and install…" }));
	await user.click(await screen.findByRole("button", { name: "Install version" }));
	expect(await screen.findByText("Downloading version 9.0.0")).toBeInTheDocument();
	unmount();
	renderWith(<Updates />, backend);
	expect(await screen.findByText("10.0 MB of 40.0 MB")).toBeInTheDocument();
	expect(screen.getByRole("progressbar", { name: "Download progress" })).toHaveAttribute("aria-valuenow", "25");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Stop download" }));
	expect(await screen.findByText("Version 9.0.0 is available")).toBeInTheDocument();
});

const faults: [UpdateFault, string, RegExp][] = [
	[{ kind: "unreachable", said: "HTTP status 404" }, "Could not check for updates", /Check the network/],
	[
		{ kind: "notUnderstood", said: "expected value" },
		"Unexpected response",
		/A proxy might have returned this response/,
	],
	[{ kind: "notForThisSystem" }, "The latest version is not available for this system", /Try again later/],
	[{ kind: "cut", said: "5 bytes came" }, "The download was interrupted", /was deleted/],
	[
		{ kind: "notOurs", said: "The signature was created with a different key" },
		"The installer has no valid signature",
		/Do not install it manually/,
	],
	[{ kind: "notInstalled", said: "Permission denied" }, "Could not install the update", /the disk is not full/],
	[{ kind: "notOffered" }, "This version is no longer available", /Check for updates again/],
	[
		{ kind: "operationRuns", operation: "import_server", act: null, siteName: "City GIS" },
		"An operation is running",
		/Server import on City GIS is running/,
	],
	[
		{ kind: "operationRuns", operation: "import_server", act: "upload", siteName: "City GIS" },
		"An operation is running",
		/Upload on City GIS is running/,
	],
	[{ kind: "invitationsUnsaved" }, "Unsaved invitation", /would be lost/],
	[{ kind: "practiceRuns" }, "The practice site is running", /Stop the practice site/],
];

test.each(faults)("%o is said with what to do, and that nothing was changed", async (fault, title, advice) => {
	const { user } = open({ ...at({ kind: "newer", release, way: "here" }), updateFault: fault });
	await user.click(await screen.findByRole("button", { name: "Download and install…" }));
	await user.click(await screen.findByRole("button", { name: "Install version" }));
	const notice = within(await screen.findByRole("alert", { name: title }));
	expect(notice.getByText(advice)).toBeInTheDocument();
	expect(notice.getByText("Nothing was changed.")).toBeInTheDocument();
	if ("said" in fault) expect(notice.getByText(fault.said)).toBeInTheDocument();
	await waitFor(() => expect(screen.getByText("Version 9.0.0 is available")).toBeInTheDocument());
});
