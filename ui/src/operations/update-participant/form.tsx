export function UpdateParticipant(_: { site: unknown; session: unknown }) {
	return null;
}
