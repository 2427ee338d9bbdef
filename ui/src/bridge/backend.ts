// Contract between the window and the backend. `tauri.ts` implements it with the app, `fake-backend.ts` in memory, for
// tests and ordinary browsers. The situations in `contract/` run against both,
// except those that are marked as of the app only.
import type { CloseRequested, commands, FileDrag, MenuCommand, RunsNow, UpdateView } from "./bindings";

/** Commands of the backend. Their documentation is in the Rust code. */
export type Commands = typeof commands;

/** Every promise rejects with a `Problem`. Functions named `on…` return a function that unsubscribes. */
export interface Backend extends Commands {
	/** Called with all runs whenever one starts, changes, or ends. */
	onRuns(listener: (now: RunsNow) => void): () => void;
	/**
	 * Called when the user closes the window while an operation is running or data would be lost. `answerClose` sends the
	 * decision.
	 */
	onCloseAsked(listener: (asked: CloseRequested) => void): () => void;
	/** Called when a file is dragged over the window or dropped. */
	onFileDrag(listener: (drag: FileDrag) => void): () => void;
	/** Called when the user opens a file with the app. `takeOpenedFile` returns it. */
	onFileOpened(listener: () => void): () => void;
	/** Called when the user selects a command in the system menu of the app. */
	onMenu(listener: (act: MenuCommand) => void): () => void;
	onUpdate(listener: (now: UpdateView) => void): () => void;
	setTitle(title: string): Promise<void>;
}
