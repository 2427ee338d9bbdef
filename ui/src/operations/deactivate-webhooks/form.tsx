export function DeactivateWebhooks(_: { site: unknown; session: unknown }) {
	return null;
}
