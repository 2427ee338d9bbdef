let fulfill: () => void = () => {};

/** Resolves when the first screen is usable. Code that the first screen does not need is loaded then. */
export const started = new Promise<void>((done) => {
	fulfill = done;
});

export function markStarted(): void {
	fulfill();
}

/**
 * Returns the time of the first contentful paint, in milliseconds since 1970; `null` if the web view does not report
 * it.
 */
export function firstContentAt(): number | null {
	const [paint] = performance.getEntriesByName("first-contentful-paint");
	return paint ? Math.round(performance.timeOrigin + paint.startTime) : null;
}
