import type { Problem } from "./bindings";

// A record instead of a list, so that a missing kind is a compile error.
const kinds: Record<Problem["kind"], true> = {
	form: true,
	rejected: true,
	inFront: true,
	signIn: true,
	tokenRenewed: true,
	notRenewed: true,
	unreachable: true,
	proxyRefused: true,
	noResponse: true,
	unreadable: true,
	keyring: true,
	busy: true,
	tooOld: true,
	noAddress: true,
	certificate: true,
	unconfirmedAddress: true,
	clientCertificate: true,
	notOffered: true,
	redirected: true,
	noDialog: true,
	file: true,
	extensionNotAllowed: true,
	readOnly: true,
	planNotAccepted: true,
	safetyBackupFailed: true,
	webhooksNotDeactivated: true,
	webhooksWereInactive: true,
	importFailed: true,
	safetyBackupMissing: true,
	preconditionFailed: true,
	notRecorded: true,
	unexpected: true,
};

/**
 * Turns any thrown value into a `Problem`. Tauri itself rejects with plain strings (unknown command, missing
 * permission, invalid argument), although the generated types claim otherwise.
 */
export function asProblem(thrown: unknown): Problem {
	if (typeof thrown === "object" && thrown !== null && "kind" in thrown) {
		const { kind } = thrown;
		if (typeof kind === "string" && Object.hasOwn(kinds, kind)) return thrown as Problem;
	}
	return { kind: "unexpected", message: thrown instanceof Error ? thrown.message : String(thrown) };
}
