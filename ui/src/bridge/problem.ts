import type { Problem } from "./bindings";

// A Record rather than a list: a kind that is added to Problem and forgotten here does not compile.
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
 * Narrows whatever was thrown. The framework itself rejects with plain strings (an unknown command, a refused
 * permission, an argument it cannot read) although the generated types claim otherwise.
 */
export function asProblem(thrown: unknown): Problem {
	if (typeof thrown === "object" && thrown !== null && "kind" in thrown) {
		const { kind } = thrown;
		if (typeof kind === "string" && Object.hasOwn(kinds, kind)) return thrown as Problem;
	}
	return { kind: "unexpected", message: thrown instanceof Error ? thrown.message : String(thrown) };
}
