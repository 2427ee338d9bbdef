/** Shortens a SHA-256 for display. */
export const shortened = (sha256: string) => `${sha256.slice(0, 8)}…${sha256.slice(-4)}`;
