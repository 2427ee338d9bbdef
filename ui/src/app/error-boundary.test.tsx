import { screen } from "@testing-library/react";
import { useState } from "react";
import { vi } from "vitest";
import { axeFindings, renderWith } from "@/test/render";
import { ErrorBoundary } from "./error-boundary";
import { ScreenFault } from "./screen-fault";

function Breaks({ broken }: { broken: boolean }) {
	if (broken) throw new TypeError("rows is not a list");
	return <p>all is well</p>;
}

function Screen() {
	const [broken, setBroken] = useState(true);
	return (
		<>
			<button type="button" onClick={() => setBroken(false)}>
				mend
			</button>
			<ErrorBoundary fallback={ScreenFault}>
				<Breaks broken={broken} />
			</ErrorBoundary>
		</>
	);
}

test("a screen that breaks says so, gives its details away and can be tried again", async () => {
	// React says it to the console as well.
	vi.spyOn(console, "error").mockImplementation(() => {});
	const { user } = renderWith(<Screen />);
	expect(await screen.findByRole("alert", { name: "Cannot show this page" })).toHaveTextContent(
		"TypeError: rows is not a list",
	);
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Copy details" }));
	expect(await navigator.clipboard.readText()).toMatch(/TypeError: rows is not a list[\s\S]*Breaks/);
	await user.click(screen.getByRole("button", { name: "mend" }));
	await user.click(screen.getByRole("button", { name: "Try again" }));
	expect(screen.getByText("all is well")).toBeInTheDocument();
});
