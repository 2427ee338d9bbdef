import type { RecordedExport, RecordId } from "../bindings";
import type { Doings } from "./answer";
import { type Deeds, fine } from "./deeds";
import { found, unexpected } from "./problems";
import { practiceExports, type World } from "./world";

/** What this program wrote, and what the practice site did. */
const readable = ["/home/sam/Documents/", `${practiceExports}/`];

function exportOf(world: World, record: RecordId): RecordedExport | null {
	found(world.history, ({ id }) => id === record, `record ${record}`);
	const path = world.exportFiles.get(record);
	if (path === undefined || !readable.some((folder) => path.startsWith(folder))) return null;
	return { path, size: world.goneFiles.has(path) ? null : 214_600_000 };
}

export const recordedExports = (world: World) =>
	({ recordedExport: (record) => exportOf(world, record) }) satisfies Partial<Doings>;

export const verifyingExports = (world: World) =>
	({
		verifyRecordedExport: (_site, record) => {
			const file = exportOf(world, record);
			if (file === null) throw unexpected("this record has no file on this computer");
			const operation = file.path.endsWith(".portalsite") ? "export_portal" : "export_server";
			return {
				operation,
				act: "verify_export",
				parameters: [],
				unrecorded: true,
				isCheck: true,
				isLocal: true,
				steps: [{ kind: "verifyingFile" }],
				work: () => {
					const isCompared = !file.path.startsWith(practiceExports);
					return file.size === null
						? { kind: "gone" as const }
						: { kind: "read" as const, verification: world.exportVerification, isCompared };
				},
				judge: () => fine(""),
			};
		},
	}) satisfies Partial<Deeds>;
