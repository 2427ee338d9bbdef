/** The host of an address, also of one typed without its scheme, for comparing hosts: ports do not tell them apart. */
export function hostOf(address: string): string {
	return parsed(address)?.hostname ?? "";
}

/** The same with its port, for showing it. */
export function hostAndPortOf(address: string): string {
	return parsed(address)?.host ?? "";
}

/** The parser writes the host in lower case. */
function parsed(address: string): URL | null {
	const text = address.trim();
	return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
}
