import { isCheck, stopKind } from "./stop-mode";

test("what an import is secured with can be stopped, and the import is not sent", () => {
	const downloading = { kind: "downloading", done: 1, total: 2 } as const;
	for (const step of [{ kind: "securing" }, { kind: "verifying" }, downloading] as const) {
		expect(stopKind(step, "import_server")).toBe("securing");
	}
	expect(stopKind({ kind: "waiting" }, "import_server")).toBe("waiting");
	expect(stopKind(downloading, "export_server")).toBe("downloading");
	for (const kind of ["preparing", "checking"] as const) {
		expect(stopKind({ kind }, "export_portal")).toBe("preparing");
	}
});

test("while a portal checks the file, its import is not sent yet", () => {
	expect(stopKind({ kind: "checkingExport" }, "import_portal")).toBe("preparing");
	expect(isCheck({ step: { kind: "checkingExport" }, operation: "import_portal" })).toBe(false);
});

test("the wait for a server that restarts after an import can be ended, and is none for the import", () => {
	expect(stopKind({ kind: "awaitingServer" }, "import_server")).toBe("awaitingServer");
});

test("what follows an export is skipped alone: the export is there", () => {
	for (const kind of ["verifyingExport", "countingPortal"] as const) {
		expect(stopKind({ kind }, "export_server")).toBe("afterExport");
		expect(stopKind({ kind }, "export_portal")).toBe("afterExport");
	}
	expect(stopKind({ kind: "takingInventory" }, "import_server")).toBe("preparing");
});

test("a check of many items or services can be stopped at any time, for it changes nothing", () => {
	for (const kind of ["batch", "services"] as const) {
		expect(stopKind({ kind, done: 3, total: 4 }, "find_items")).toBe("check");
		expect(stopKind({ kind, done: 1, total: 4 }, "deactivate_webhooks")).toBe(kind);
	}
});

test("the file of a recorded export is read by a check, though it is that of an export", () => {
	const reading = { kind: "verifyingFile", done: 0, total: null } as const;
	expect(stopKind(reading, "export_portal")).toBe("check");
	expect(isCheck({ step: reading, operation: "export_server" })).toBe(true);
	expect(isCheck({ step: { kind: "verifyingExport" }, operation: "export_server" })).toBe(false);
});

test("while a file dialog is open, the response is there and nothing is left to stop", () => {
	expect(stopKind({ kind: "asking" }, "refresh_invitation")).toBeNull();
});
