import { readdirSync, readFileSync } from "node:fs";
import { operations } from "../bindings";
import { fakeBackend } from "../fake-backend";
import { play, situations } from ".";

test.each(situations.filter(({ isAppOnly }) => !isAppOnly))("$name", async (situation) => {
	await play(situation, fakeBackend());
});

test("every operation is performed in a situation", () => {
	const here = "src/bridge/contract";
	const sources = readdirSync(here).map((file) => readFileSync(`${here}/${file}`, "utf8"));
	const commands = operations.map(({ key }) => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
	expect(commands.filter((command) => !sources.some((source) => source.includes(`.${command}(`)))).toEqual([]);
});
