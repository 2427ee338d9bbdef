// What `tests/e2e/contract.rs` brings into the page of the real window, as one script.
import { asProblem } from "../problem";
import { tauriBackend } from "../tauri";
import { play as playOne, situations } from ".";

const backend = tauriBackend();

export const names = situations.map(({ name }) => name);

/** Returns how it failed; `null` when it did not. */
export async function play(number: number): Promise<string | null> {
	const situation = situations[number];
	if (!situation) return `there is no situation ${number}`;
	return playOne(situation, backend).then(
		() => null,
		(thrown) => JSON.stringify(asProblem(thrown)),
	);
}
