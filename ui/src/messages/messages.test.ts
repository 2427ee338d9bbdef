import { words as first } from "./en";
import { words as later } from "./en/later";

const english = { ...first, ...later };

function texts(part: object): string[] {
	return Object.values(part).flatMap((value) => (typeof value === "string" ? [value] : texts(value as object)));
}

test("no text shouts or apologises", () => {
	const loud = texts(english).filter((text) => /!|\bsorry\b|\boops\b|\bplease\b/i.test(text));
	expect(loud).toEqual([]);
});

test("no text is empty", () => {
	expect(texts(english).filter((text) => text.trim() === "")).toEqual([]);
});
