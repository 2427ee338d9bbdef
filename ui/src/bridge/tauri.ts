import { getCurrentWindow } from "@tauri-apps/api/window";
import type { Backend, Commands } from "./backend";
import { commands, events } from "./bindings";
import { asProblem } from "./problem";

/** Returns the response of a command. Whatever it throws is turned into a `Problem`. */
async function orProblem<T>(asked: Promise<T>): Promise<T> {
	try {
		return await asked;
	} catch (thrown) {
		throw asProblem(thrown);
	}
}

type Command = (...parameters: unknown[]) => Promise<unknown>;

/** Returns the generated commands. Their promises reject with a `Problem`. */
function asked(): Commands {
	const names = Object.keys(commands) as (keyof Commands)[];
	const call = (name: keyof Commands): Command => {
		return (...parameters) => orProblem((commands[name] as Command)(...parameters));
	};
	return Object.fromEntries(names.map((name) => [name, call(name)])) as Commands;
}

/** Unsubscribes a listener, also if its registration has not finished yet. */
function heard(listening: Promise<() => void>): () => void {
	return () => void listening.then((stop) => stop());
}

/** Implements the backend with the app. */
export function tauriBackend(): Backend {
	return {
		...asked(),
		onRuns: (listener) => heard(events.runsChanged.listen(({ payload }) => listener(payload.now))),
		onCloseAsked: (listener) => heard(events.closeRequested.listen(({ payload }) => listener(payload))),
		onFileDrag: (listener) => heard(events.fileDrag.listen(({ payload }) => listener(payload))),
		onFileOpened: (listener) => heard(events.fileOpened.listen(() => listener())),
		onMenu: (listener) => heard(events.menuChosen.listen(({ payload }) => listener(payload.act))),
		onUpdate: (listener) => heard(events.updateChanged.listen(({ payload }) => listener(payload.now))),
		setTitle: (title) => orProblem(getCurrentWindow().setTitle(title)),
	};
}
