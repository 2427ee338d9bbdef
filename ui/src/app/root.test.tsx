import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoot } from "react-dom/client";
import { vi } from "vitest";
import { fakeBackend } from "@/bridge/fake-backend";
import { createQueryClient } from "@/lib/queries/client";
import { axeFindings } from "@/test/render";
import { lastResort } from "./last-resort";
import { Root } from "./root";

// React also logs the error to the console.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

afterEach(() => void vi.restoreAllMocks());

const fails = (): never => {
	throw new TypeError("rows is not a list");
};

test("a fault outside the screen leaves no empty window: it says what goes on, gives its details away and reloads", async () => {
	const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
	render(<Root backend={{ ...fakeBackend(), onCloseAsked: fails }} queries={createQueryClient()} env="test" />);
	const user = userEvent.setup();
	const notice = await screen.findByRole("alert", { name: "Cannot show the window" });
	expect(notice).toHaveTextContent("TypeError: rows is not a list");
	expect(notice).toHaveTextContent("Running operations continue.");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Copy details" }));
	expect(await navigator.clipboard.readText()).toMatch(/TypeError: rows is not a list[\s\S]*CloseDialog/);
	await user.click(screen.getByRole("button", { name: "Reload window" }));
	expect(reload).toHaveBeenCalledOnce();
});

test("providers that fail leave no empty window either", async () => {
	render(<Root backend={{ ...fakeBackend(), onRuns: fails }} queries={createQueryClient()} env="test" />);
	expect(await screen.findByRole("alert", { name: "Cannot show the window" })).toBeVisible();
});

test("a fault that no boundary holds is said in plain text, with a way to reload", async () => {
	const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
	const place = document.body.appendChild(document.createElement("div"));
	const backend = fakeBackend();
	const log = vi.spyOn(backend, "logWindowFault");
	createRoot(place, { onUncaughtError: lastResort(place, backend) }).render(<Fails />);
	expect(await screen.findByRole("alert")).toHaveTextContent(/^Cannot show the window\..* rows is not a list$/);
	expect(log).toHaveBeenCalledExactlyOnceWith("TypeError: rows is not a list", "");
	await userEvent.click(screen.getByRole("button", { name: "Reload window" }));
	expect(reload).toHaveBeenCalledOnce();
	place.remove();
});

function Fails() {
	return fails();
}
