import { render } from "@testing-library/react";
import { Breakable } from "./text";

function pieces(text: string): string[] {
	const { container } = render(<Breakable>{text}</Breakable>);
	expect(container).toHaveTextContent(text, { normalizeWhitespace: false });
	return container.innerHTML.split("<wbr>");
}

test("a path ends its lines after a separator, and keeps what begins it together", () => {
	expect(pieces("https://gis.example.org/portal")).toEqual(["https://", "gis.example.org/", "portal"]);
	expect(pieces("not found at /tmp/data")).toEqual(["not found at /tmp/", "data"]);
	expect(pieces("\\\\nas\\gis-data")).toEqual(["\\\\", "nas\\", "gis-", "data"]);
});

test("an e-mail address ends its lines after its sign and its dots", () => {
	expect(pieces("anna.sample@gis.example.com")).toEqual(["anna.", "sample@", "gis.", "example.", "com"]);
});

test("a service ends its lines after its folder and before its type", () => {
	expect(pieces("Hosted/Hydrants.FeatureServer")).toEqual(["Hosted/", "Hydrants", ".FeatureServer"]);
	expect(pieces("Buffer.v2.GPServer")).toEqual(["Buffer.v2", ".GPServer"]);
});

test("a hash ends its lines between groups of four bytes", () => {
	expect(pieces("0f".repeat(32))).toEqual(Array(8).fill("0f0f0f0f"));
	expect(pieces(Array(20).fill("0F").join(":"))).toEqual([...Array(4).fill("0F:0F:0F:0F:"), "0F:0F:0F:0F"]);
});

test("the name of a parameter ends its lines before its words, and not within one", () => {
	expect(pieces("contactEmailAddress")).toEqual(["contact", "Email", "Address"]);
});

test("words with blanks need nothing", () => {
	expect(pieces("Copy to the fire service")).toEqual(["Copy to the fire service"]);
	expect(pieces("")).toEqual([""]);
});

test("a name is shown without what turns or hides its letters", () => {
	const { container } = render(<Breakable>{"Roads/a\u202ebc\u200b.MapServer"}</Breakable>);
	expect(container.textContent).toBe("Roads/abc.MapServer");
});
