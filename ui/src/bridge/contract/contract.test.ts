import { memoryBackend } from "../memory";
import { play, situations } from ".";

test.each(situations)("$name", async (situation) => {
	await play(situation, memoryBackend());
});
