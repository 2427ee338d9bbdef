import { expect, test } from "vitest";
import { signedInSite } from "@/test/render";
import { unavailableParameter } from "./use-read-only";

test("a parameter that the site does not know is unavailable with the reason, and any other is available", () => {
	const { session } = signedInSite();
	const parameters = [
		{ parameter: "validate" as const, reasons: [{ kind: "tooOld" as const, needs: "11.2", has: "11.1" }] },
	];
	const older = {
		...session,
		operations: session.operations.map((one) => (one.operation === "export_portal" ? { ...one, parameters } : one)),
	};
	expect(unavailableParameter(older, "export_portal", "validate")).toMatchObject({ kind: "tooOld", needs: "11.2" });
	expect(unavailableParameter(older, "export_portal", "noLocation")).toBeNull();
});
