export function RefreshInvitation(_: { site: unknown; session: unknown }) {
	return null;
}
