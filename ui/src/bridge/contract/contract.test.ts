import { fakeBackend } from "../fake-backend";
import { play, situations } from ".";

test.each(situations)("$name", async (situation) => {
	await play(situation, fakeBackend());
});
