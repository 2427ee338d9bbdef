/** The host of an address, also of one typed without its scheme, for comparing hosts: ports do not tell them apart. */
export function hostOf(address: string): string {
	return parsed(address)?.hostname ?? "";
}

/** The same with its port, for showing it. */
export function hostAndPortOf(address: string): string {
	return parsed(address)?.host ?? "";
}

/** The host with its port and the path: what tells apart sites behind one host. */
export function hostAndPathOf(address: string): string {
	const url = parsed(address);
	return url ? `${url.host}${url.pathname.replace(/\/+$/, "")}` : "";
}

/** The parser writes the host in lower case. */
function parsed(address: string): URL | null {
	const text = address.trim();
	return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
}

/** Whether an address is on this computer. */
export function isThisComputer(address: string): boolean {
	return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostOf(address));
}
