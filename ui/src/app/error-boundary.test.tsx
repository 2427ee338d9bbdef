import { screen } from "@testing-library/react";
import { useState } from "react";
import { vi } from "vitest";
import { useBackend } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { axeFindings, renderWith } from "@/test/render";
import { ErrorBoundary } from "./error-boundary";
import { ScreenFault } from "./shell";

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
			<ErrorBoundary fallback={ScreenFault} backend={useBackend()}>
				<Breaks broken={broken} />
			</ErrorBoundary>
		</>
	);
}

test("a screen that breaks says so, gives its details away and can be tried again", async () => {
	// React also logs the error to the console.
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

test("a fault of a page reaches the log of the program, also where the program cannot write it", async () => {
	vi.spyOn(console, "error").mockImplementation(() => {});
	const backend = fakeBackend({ fail: { logWindowFault: { kind: "unexpected", message: "disk full" } } });
	const log = vi.spyOn(backend, "logWindowFault");
	renderWith(<Screen />, backend);
	expect(await screen.findByRole("alert", { name: "Cannot show this page" })).toBeVisible();
	expect(log).toHaveBeenCalledExactlyOnceWith("TypeError: rows is not a list", expect.stringMatching(/Breaks/));
});
