import { deactivated } from "@/test/deactivation";
import { countLeft, isActiveAgain, namesLeft } from "./service-state";

const webhook = (id: string) => ({ id, name: "notify" });

test("two webhooks of one name are two, and one webhook of two entries is one", () => {
	const older = deactivated({ id: "s1", left: [webhook("1"), webhook("2")] });
	const newer = deactivated({ id: "s2", left: [webhook("2")] });
	expect(namesLeft(older)).toEqual(["notify", "notify"]);
	expect(countLeft([older, newer])).toBe(2);
	expect(countLeft([older, deactivated({ id: "s3", service: "Other.GPServer", left: [webhook("2")] })])).toBe(3);
});

test("an entry is active again once nothing is left, and not while its webhooks are not known", () => {
	expect(isActiveAgain(deactivated({ left: [], activeAgain: ["notify"] }))).toBe(true);
	expect(isActiveAgain(deactivated({ left: [webhook("1")], activeAgain: ["notify"] }))).toBe(false);
	expect(isActiveAgain(deactivated({ active: null, left: null, activeAgain: ["notify"] }))).toBe(false);
});
