import { readdirSync, readFileSync } from "node:fs";
import { operations } from "@/bridge";

/** Returns the source of all files of an operation, without tests. */
function sourceOf(key: string): string {
	const folder = `src/operations/${key.replaceAll("_", "-")}`;
	const files = readdirSync(folder).filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
	return files.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
}

const sources = operations.map(({ key, impact }) => ({ key, impact, source: sourceOf(key) }));

/** Returns operations whose form lacks a part. */
const without = (part: RegExp, impacts: readonly string[]) =>
	sources.filter(({ impact, source }) => impacts.includes(impact) && !part.test(source)).map(({ key }) => key);

const any = ["none", "writesCopy", "changes", "replaces"];

test("every operation shows its requests before it sends them", () => {
	expect(without(/<RequestPreview\b/, any)).toEqual([]);
});

test("every operation keeps what is typed while another page is shown", () => {
	expect(without(/\b(useDraft|useKeptForm)\(/, any)).toEqual([]);
});

test("every operation that is recorded takes a reason or ticket", () => {
	// A confirmation of a change or an import contains the field.
	expect(without(/<(ReasonField|ConfirmDialog|ConfirmImport)\b/, ["writesCopy", "changes", "replaces"])).toEqual([]);
});

test("every operation that changes a site asks for a confirmation", () => {
	expect(without(/<(ConfirmDialog|ConfirmImport)\b/, ["changes", "replaces"])).toEqual([]);
});

test("every operation that can take hours warns of a token that expires before it ends", () => {
	expect(without(/<TokenExpiryCheck\b/, ["writesCopy", "replaces"])).toEqual([]);
});

test("every operation is sent by the button that has the key of its page", () => {
	expect(without(/<(SubmitButton|ChangeButton)\b/, any)).toEqual([]);
});

test("an operation whose list can be read while the site is locked has a button that is unavailable then", () => {
	const listing = sources.filter(({ source }) => source.includes("showsList: true"));
	expect(listing).not.toEqual([]);
	expect(listing.filter(({ source }) => !/<ChangeButton\b/.test(source)).map(({ key }) => key)).toEqual([]);
});

test("every report says when the operation was done", () => {
	expect(without(/<DoneAt\b/, any)).toEqual([]);
});
