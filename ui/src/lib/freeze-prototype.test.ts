import { expect, it } from "vitest";
import { freezePrototype } from "./freeze-prototype";

function frozen(): Record<string, unknown> {
	const prototype: Record<string, unknown> = Object.create({ toString: () => "inherited", valueOf: () => 1 });
	freezePrototype(prototype);
	return prototype;
}

it("keeps what every object inherits as it is", () => {
	const prototype = frozen();
	expect(() => Object.assign(prototype, { polluted: true })).toThrow(TypeError);
	expect(() => Object.assign(prototype, { toString: () => "polluted" })).toThrow(TypeError);
	expect(String(Object.create(prototype))).toBe("inherited");
});

it("lets an object have a toString of its own, as dayjs wants", () => {
	const prototype = frozen();
	const one = Object.create(prototype);
	one.toString = () => "its own";
	expect(String(one)).toBe("its own");
	expect(String(Object.create(prototype))).toBe("inherited");
});
