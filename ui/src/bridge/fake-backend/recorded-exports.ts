import type { RecordedExport, RecordId } from "../bindings";
import type { Doings } from "./answer";
import { type Deeds, fine } from "./deeds";
import { found, unexpected } from "./problems";
import { practiceExports, type World } from "./world";

/** What this program wrote, and what the practice site did. */
const readable = ["/home/sam/Documents/", `${practiceExports}/`];

function exportOf(world: World, record: RecordId): RecordedExport | null {
	const { operation, note, outcome } = found(world.history, ({ id }) => id === record, `record ${record}`);
	const isExport = operation === "export_server" || operation === "export_portal";
	const isWritten = outcome === "succeeded" || outcome === "warnings";
	if (!isExport || !isWritten || !readable.some((folder) => note.startsWith(folder))) return null;
	return { path: note, size: world.goneFiles.has(note) ? null : 214_600_000 };
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
