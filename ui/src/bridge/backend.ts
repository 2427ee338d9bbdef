// The only contract between the window and the program. `tauri.ts` fulfills it with the real program, `fake-backend.ts` with a
// small world in memory for tests and for an ordinary browser. `contract/` runs against both.
import type { CloseRequested, commands, FileDrag, MenuCommand, RunsNow, UpdateView } from "./bindings";

/** The commands of the program. What each does stands in Rust. */
export type Commands = typeof commands;

/** Every promise rejects with a `Problem` and with nothing else. What begins with `on` returns the way to stop listening. */
export interface Backend extends Commands {
	/** Called with all runs whenever one begins, moves or ends. */
	onRuns(listener: (now: RunsNow) => void): () => void;
	/** The user closes the window while something runs or would be lost; `answerClose` takes the decision. */
	onCloseAsked(listener: (asked: CloseRequested) => void): () => void;
	/** A file is dragged over the window, or was dropped there. */
	onFileDrag(listener: (drag: FileDrag) => void): () => void;
	/** The user opened a file with the app; `takeOpenedFile` returns it. */
	onFileOpened(listener: () => void): () => void;
	/** The user chose from the menu of the app, where the system has one. */
	onMenu(listener: (act: MenuCommand) => void): () => void;
	/** The state of the update changed. */
	onUpdate(listener: (now: UpdateView) => void): () => void;
	/** The title of the native window. */
	setTitle(title: string): Promise<void>;
}
