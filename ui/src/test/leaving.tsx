import { type ReactNode, useState } from "react";

/** A page that can be left and entered again. */
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
