import type { Examination } from "../bindings";

/** A computer whose keyring waits for its password. */
export function examination(): Examination {
	return {
		findings: [
			{
				check: "keyring",
				state: "trouble",
				facts: [
					{ name: "kind", value: "Secret Service" },
					{ name: "answeredIn", value: "12 ms" },
				],
				advice: "unlockKeyring",
			},
			{
				check: "program",
				state: "ok",
				facts: [
					{ name: "version", value: "0.1.0" },
					{ name: "system", value: "Debian GNU/Linux 12 (bookworm), x86_64" },
				],
				advice: null,
			},
		],
		text: "Site Steward, examined 2026-11-19 14:05:00 UTC\n\nKeyring: does not work\n  Kind: Secret Service\n",
	};
}
