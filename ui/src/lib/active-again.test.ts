import { deactivated } from "@/test/deactivation";
import { isActiveAgain, stillInactive } from "./active-again";

test("two webhooks of one name are two: one of them that is active again leaves the other", () => {
	const entry = deactivated({ active: ["notify", "notify", "archive"] });
	expect(stillInactive(entry, ["notify"])).toEqual(["notify", "archive"]);
	expect(isActiveAgain(entry, ["notify", "archive"])).toBe(false);
	expect(isActiveAgain(entry, ["notify", "notify", "archive"])).toBe(true);
});
