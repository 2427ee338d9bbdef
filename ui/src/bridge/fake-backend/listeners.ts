export function listeners<T>() {
	const all = new Set<(news: T) => void>();
	return {
		listen: (listener: (news: T) => void) => {
			all.add(listener);
			return () => void all.delete(listener);
		},
		tell: (news: T) => {
			for (const listener of all) listener(structuredClone(news));
		},
	};
}
