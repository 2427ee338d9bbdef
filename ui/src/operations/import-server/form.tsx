export function ImportServer(_: { site: unknown; session: unknown }) {
	return null;
}
