import { readdirSync, readFileSync } from "node:fs";
import { operations } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { looks } from "@/test/looks";
import { runs, stale } from "./use-command";

test("every command that changes something says what it makes stale", () => {
	const { happen: _, ...backend } = fakeBackend();
	const commands = Object.keys(backend).filter((name) => !/^on[A-Z]/.test(name));
	const ofOperations = operations.map(({ key }) => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
	const known = new Set([...looks, ...ofOperations, ...runs, ...Object.keys(stale)]);
	expect(commands.filter((name) => !known.has(name))).toEqual([]);
	expect([...known].filter((name) => !commands.includes(name))).toEqual([]);
});

test("nothing else decides what a command makes stale", () => {
	const here = "src";
	const files = readdirSync(here, { recursive: true, encoding: "utf8" });
	const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file));
	const deciding = sources.filter((file) =>
		/invalidateQueries|readAgain/.test(readFileSync(`${here}/${file}`, "utf8")),
	);
	expect(deciding.sort()).toEqual([
		"lib/queries/client.ts",
		"lib/queries/program.ts",
		"lib/runs.tsx",
		"lib/use-command.ts",
	]);
});
