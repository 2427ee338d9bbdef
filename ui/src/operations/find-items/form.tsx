export function FindItems(_: { site: unknown; session: unknown }) {
	return null;
}
