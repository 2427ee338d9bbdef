import {
	createContext,
	type ReactNode,
	useCallback,
	useContext,
	useEffect,
	useEffectEvent,
	useMemo,
	useRef,
	useState,
} from "react";
import { type DroppedFile, type DroppedKind, type FileDrag, useBackend } from "@/bridge";

/**
 * A file that was dropped onto the window, or opened with the program. Each time is another one, also of the same file.
 * `file` is `null` when the program takes no such file.
 */
export interface Drop {
	file: DroppedFile | null;
}

interface DroppedFiles {
	/** What is dragged over the window now; `null` when nothing is. */
	over: Extract<FileDrag, { kind: "over" }> | null;
	/** What was dropped last and waits for a page that takes it. */
	drop: Drop | null;
	/** Gives a file that the program named to the page that takes it. */
	give: (file: DroppedFile) => void;
	/** Whether nobody has taken it yet. From then on it waits no longer. */
	take: (drop: Drop) => boolean;
}

const DroppedFilesContext = createContext<DroppedFiles | null>(null);

export function DroppedFilesProvider({ children }: { children: ReactNode }) {
	const backend = useBackend();
	const [over, setOver] = useState<DroppedFiles["over"]>(null);
	const [drop, setDrop] = useState<Drop | null>(null);
	const taken = useRef<Drop | null>(null);
	useEffect(() => {
		const ask = async () => {
			const opened = await backend.takeOpenedFile();
			if (opened) setDrop({ file: opened.file });
		};
		// What was named when the program was started waits already.
		void ask().catch(() => {});
		return backend.onFileOpened(() => void ask().catch(() => {}));
	}, [backend]);
	useEffect(
		() =>
			backend.onFileDrag((drag) => {
				setOver(drag.kind === "over" ? drag : null);
				if (drag.kind === "dropped") setDrop({ file: drag.file });
			}),
		[backend],
	);
	const take = useCallback((one: Drop) => {
		if (taken.current === one) return false;
		taken.current = one;
		setDrop((waiting) => (waiting === one ? null : waiting));
		return true;
	}, []);
	const give = useCallback((file: DroppedFile) => setDrop({ file }), []);
	const files = useMemo(() => ({ over, drop, take, give }), [over, drop, take, give]);
	return <DroppedFilesContext value={files}>{children}</DroppedFilesContext>;
}

export function useDroppedFiles(): DroppedFiles {
	const files = useContext(DroppedFilesContext);
	if (!files) throw new Error("useDroppedFiles needs a DroppedFilesProvider above it");
	return files;
}

/**
 * Gives each file of this kind that is dropped onto the window, or opened with the program, to the page that takes it:
 * once, whenever the page is there. The program reads a path that the window names only if it was dropped: see `Dropped`
 * in `steward-core/src/files/dropped.rs`.
 */
export function useDroppedFile(kind: DroppedKind, onFile: (file: DroppedFile) => void): void {
	const { drop, take } = useDroppedFiles();
	const give = useEffectEvent(onFile);
	useEffect(() => {
		if (drop?.file?.kind === kind && take(drop)) give(drop.file);
	}, [drop, kind, take]);
}
