import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type DroppedFile, type DroppedKind, type FileDrag, useBackend } from "@/bridge";

interface DroppedFiles {
	/** What is dragged over the window now; `null` when nothing is. */
	over: Extract<FileDrag, { kind: "over" }> | null;
	/** What was dropped, or opened with the program, and not used yet; `unusable` when the program takes no such file. */
	dropped: DroppedFile | "unusable" | null;
	forget: () => void;
}

const DroppedFilesContext = createContext<DroppedFiles | null>(null);

export function DroppedFilesProvider({ children }: { children: ReactNode }) {
	const backend = useBackend();
	const [over, setOver] = useState<DroppedFiles["over"]>(null);
	const [dropped, setDropped] = useState<DroppedFiles["dropped"]>(null);
	useEffect(() => {
		const take = async () => {
			const opened = await backend.takeOpenedFile();
			if (opened) setDropped(opened.file ?? "unusable");
		};
		// What was named when the program was started waits already.
		void take().catch(() => {});
		return backend.onFileOpened(() => void take().catch(() => {}));
	}, [backend]);
	useEffect(
		() =>
			backend.onFileDrag((drag) => {
				setOver(drag.kind === "over" ? drag : null);
				if (drag.kind === "dropped") setDropped(drag.file ?? "unusable");
			}),
		[backend],
	);
	const files = useMemo(() => ({ over, dropped, forget: () => setDropped(null) }), [over, dropped]);
	return <DroppedFilesContext value={files}>{children}</DroppedFilesContext>;
}

export function useDroppedFiles(): DroppedFiles {
	const files = useContext(DroppedFilesContext);
	if (!files) throw new Error("useDroppedFiles needs a DroppedFilesProvider above it");
	return files;
}

/**
 * The file of this kind that was dropped onto the window, or opened with the program, and waits to be used, for the page that takes it. The program
 * reads a path that the window names only if it was dropped: see `Dropped` in `src-tauri/src/window/drag.rs`.
 */
export function useDroppedFile(kind: DroppedKind): { file: DroppedFile | null; forget: () => void } {
	const { dropped, forget } = useDroppedFiles();
	return { file: dropped !== null && dropped !== "unusable" && dropped.kind === kind ? dropped : null, forget };
}
