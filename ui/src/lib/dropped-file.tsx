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
 * File that was dropped onto the window, or opened with the app. Each drop is a new object, also for the same file.
 * `file` is `null` if the app cannot use the file.
 */
export interface Drop {
	file: DroppedFile | null;
}

interface DroppedFiles {
	/** File that is dragged over the window; `null` if none is. */
	over: Extract<FileDrag, { kind: "over" }> | null;
	/** Last dropped file; it waits until a page takes it. */
	drop: Drop | null;
	/** Offers a file that the backend returned to the page that handles it. */
	give: (file: DroppedFile) => void;
	/** Claims a drop. Returns `false` if another component has claimed it. */
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
		// The app might have been started with a file.
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
 * Passes each dropped or opened file of this kind to `onFile`, once, as soon as the page is shown. The backend reads a
 * path only if it was dropped: see `Dropped` in `steward-core/src/files/dropped.rs`.
 */
export function useDroppedFile(kind: DroppedKind, onFile: (file: DroppedFile) => void): void {
	const { drop, take } = useDroppedFiles();
	const give = useEffectEvent(onFile);
	useEffect(() => {
		if (drop?.file?.kind === kind && take(drop)) give(drop.file);
	}, [drop, kind, take]);
}
