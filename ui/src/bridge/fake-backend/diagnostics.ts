import type { CheckResult, DiagnosticReport } from "../bindings";

const ok = (check: CheckResult["check"], ...facts: CheckResult["facts"]): CheckResult => ({
	check,
	state: "ok",
	facts,
	advice: null,
});

/** A computer whose keyring waits for its password. */
export function examination(): DiagnosticReport {
	return {
		findings: [
			{
				check: "keyring",
				state: "trouble",
				facts: [
					{ name: "kind", value: { kind: "said", text: "Secret Service" } },
					{ name: "answeredIn", value: { kind: "span", millis: 12 } },
				],
				advice: "unlockKeyring",
			},
			ok("program", { name: "version", value: { kind: "said", text: "0.1.0" } }),
			ok("policy", { name: "policyFile", value: { kind: "words", words: "noFileAt", about: "/etc/policy.json" } }),
			ok("disk", { name: "freeSpace", value: { kind: "size", bytes: 35_406_000_000 } }),
		],
		text: "Site Steward, examined 2026-11-19 14:05:00 UTC\n\nKeyring: Error\n  Type: Secret Service\n",
	};
}
