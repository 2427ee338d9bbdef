import { asProblem } from "./problem";

test("a problem of the program is kept as it is", () => {
	const problem = { kind: "signIn", site: "city", server: null };
	expect(asProblem(problem)).toBe(problem);
});

test.each([
	["a plain string of the framework", "command about not allowed", "command about not allowed"],
	["an exception", new Error("broken"), "broken"],
	["an unknown kind", { kind: "toString" }, "[object Object]"],
	["nothing", undefined, "undefined"],
])("%s becomes unexpected", (_, thrown, message) => {
	expect(asProblem(thrown)).toEqual({ kind: "unexpected", message });
});
