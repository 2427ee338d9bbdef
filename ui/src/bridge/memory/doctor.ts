import type { DiagnosticReport } from "../bindings";

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
			{
				check: "program",
				state: "ok",
				facts: [
					{ name: "version", value: { kind: "said", text: "0.1.0" } },
					{ name: "system", value: { kind: "said", text: "Debian GNU/Linux 12 (bookworm), x86_64" } },
				],
				advice: null,
			},
			{
				check: "policy",
				state: "ok",
				facts: [{ name: "policyFile", value: { kind: "words", words: "noFileAt", about: "/etc/policy.json" } }],
				advice: null,
			},
			{
				check: "disk",
				state: "ok",
				facts: [{ name: "freeSpace", value: { kind: "size", bytes: 35_406_000_000 } }],
				advice: null,
			},
		],
		text: "Site Steward, examined 2026-11-19 14:05:00 UTC\n\nKeyring: does not work\n  Kind: Secret Service\n",
	};
}
