/** A SHA-256 as it is shown beside other facts. */
export const shortened = (sha256: string) => `${sha256.slice(0, 8)}…${sha256.slice(-4)}`;
