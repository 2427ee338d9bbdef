import { expect, test } from "vitest";
import { i18n } from "@/messages/i18n";
import { signedInSite } from "@/test/render";
import { gatedInput } from "./parameters";

test("a parameter that the site does not know is greyed with the reason, and any other is free", () => {
	const { session } = signedInSite();
	const parameters = [
		{ parameter: "validate" as const, reasons: [{ kind: "tooOld" as const, needs: "11.2", has: "11.1" }] },
	];
	const older = {
		...session,
		operations: session.operations.map((one) => (one.operation === "export_portal" ? { ...one, parameters } : one)),
	};
	const t = i18n.getFixedT("en", "common");
	expect(gatedInput(t, older, "export_portal", "validate")).toEqual({
		disabled: true,
		description: "Requires portal version 11.2 or later. This portal has version 11.1.",
	});
	expect(gatedInput(t, older, "export_portal", "noLocation")).toEqual({});
});
