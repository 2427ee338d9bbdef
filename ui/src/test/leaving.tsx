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
