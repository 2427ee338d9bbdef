let fulfill: () => void = () => {};

/** Fulfilled once the first screen can be used. What it does not show is asked for and loaded then. */
export const started = new Promise<void>((done) => {
	fulfill = done;
});

export function markStarted(): void {
	fulfill();
}
