import type { RecordedExport, RecordId } from "../bindings";
import type { Doings } from "./answer";
import { type Deed, type Deeds, fine } from "./deeds";
import { setIn } from "./plans";
import { found, unexpected } from "./problems";
import { practiceExports, type World } from "./world";

/** Folders of exports that the app or the practice site wrote. */
const readable = ["/home/sam/Documents/", `${practiceExports}/`];

function exportOf(world: World, record: RecordId): RecordedExport | null {
	found(world.history, ({ id }) => id === record, `record ${record}`);
	const path = world.exportFiles.get(record);
	if (path === undefined || !readable.some((folder) => path.startsWith(folder))) return null;
	return { path, size: world.goneFiles.has(path) ? null : 214_600_000 };
}

export const recordedExports = (world: World) =>
	({ recordedExport: (record) => exportOf(world, record) }) satisfies Partial<Doings>;

/** Properties of a check that reads a file on this computer. */
const readsFile = (size: number) =>
	({
		act: "verify_export",
		parameters: [],
		unrecorded: true,
		isCheck: true,
		isLocal: true,
		steps: [{ kind: "verifyingFile", done: size / 2, total: size }],
		judge: () => fine(""),
	}) satisfies Partial<Deed<unknown>>;

export const verifyingExports = (world: World) =>
	({
		verifySetFile: (site, plan, name) => {
			const view = setIn(world, plan, name);
			const part = found(view.set.parts, ({ server }) => server === site.currentServer, "part");
			const { size } = found(part.files, (one) => one.name.endsWith(".agssite"), "file");
			return {
				...readsFile(size),
				operation: "export_server",
				server: part.server,
				work: () => {
					const end = world.fileVerification;
					if (end.kind === "faulty") {
						part.state = { kind: "failed", fault: { kind: "archive", archive: end.fault }, note: "" };
						view.verdict = "failed";
					}
					return end;
				},
			};
		},
		verifyRecordedExport: (_site, record) => {
			const file = exportOf(world, record);
			if (file === null) throw unexpected("this record has no file on this computer");
			const operation = file.path.endsWith(".portalsite") ? "export_portal" : "export_server";
			return {
				...readsFile(file.size ?? 0),
				operation,
				work: () => {
					const isCompared = !file.path.startsWith(practiceExports);
					return file.size === null
						? { kind: "gone" as const }
						: { kind: "read" as const, verification: world.exportVerification, isCompared };
				},
			};
		},
	}) satisfies Partial<Deeds>;
