let fulfill: () => void = () => {};

/** Fulfilled once the first screen can be used. What it does not show is asked for and loaded then. */
export const started = new Promise<void>((done) => {
	fulfill = done;
});

export function markStarted(): void {
	fulfill();
}

/** When something was first painted in this page; `null` where the web view does not say so. */
export function firstContentAt(): number | null {
	const [paint] = performance.getEntriesByName("first-contentful-paint");
	return paint ? Math.round(performance.timeOrigin + paint.startTime) : null;
}
