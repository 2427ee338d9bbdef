import { type ReactNode, useState } from "react";

/** Page that can be left and opened again. */
export function Leaving({ children }: { children: ReactNode }) {
	const [here, setHere] = useState(true);
	return (
		<>
			<button type="button" onClick={() => setHere(!here)}>
				{here ? "Leave" : "Enter"}
			</button>
			{here ? children : null}
		</>
	);
}

/** Returns a command whose response arrives when the test calls `release`. */
export function held<P extends unknown[], T>(command: (...given: P) => Promise<T>) {
	let release = () => {};
	const released = new Promise<void>((done) => {
		release = done;
	});
	return {
		release: () => release(),
		command: async (...given: P): Promise<T> => {
			await released;
			return await command(...given);
		},
	};
}
