import type { Hindrance } from "@/lib/use-read-only";
import { renderWith } from "@/test/render";
import { HindranceIcon } from "./hindrance-icon";

const drawing = (kind: Hindrance["kind"]) => renderWith(<HindranceIcon kind={kind} />).container.querySelector("svg");

test("a read-only site, an operation that a site cannot do, and one that wants another account look different", () => {
	const shapes = (["readOnly", "tooOld", "role"] as const).map((kind) => drawing(kind)?.innerHTML);
	expect(new Set(shapes).size).toBe(3);
	const unsupported = (["noComponent", "notOnSite", "notOnServer"] as const).map((kind) => drawing(kind)?.innerHTML);
	expect(new Set([...unsupported, shapes[1]]).size).toBe(1);
});
