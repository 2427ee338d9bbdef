// Bundled into one script that `tests/e2e/contract.rs` runs in the page of the real window.
import { asProblem } from "../problem";
import { tauriBackend } from "../tauri";
import { play as playOne, situations } from ".";

const backend = tauriBackend();

export const names = situations.map(({ name }) => name);

/** Plays a situation and returns its error; `null` if it succeeded. */
export async function play(number: number): Promise<string | null> {
	const situation = situations[number];
	if (!situation) return `there is no situation ${number}`;
	return playOne(situation, backend).then(
		() => null,
		(thrown) => JSON.stringify(asProblem(thrown)),
	);
}
