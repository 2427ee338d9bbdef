import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import type { RunsNow, RunView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { renderWith } from "@/test/render";
import { CloseDialog } from "./close-dialog";
import { OperationsPanel } from "./operations-panel";

const run: RunView = {
	id: "run",
	site: "city",
	siteName: "City GIS",
	server: null,
	serverName: null,
	operation: "import_server",
	act: null,
	isUndo: false,
	startedAt: 0,
	step: { kind: "preparing" },
	sent: false,
	usual: null,
};
const later: RunView = { ...run, step: { kind: "waiting" }, sent: true };

test("what the question of Stop says stays as it was, though its run goes on, and its end closes it", async () => {
	const Panel = () => {
		const [runs, setRuns] = useState([run]);
		const dock = { runs, ended: [], unknown: [], empty: false, dismiss: () => {}, later: () => {} };
		return (
			<>
				<OperationsPanel dock={dock} />
				<button type="button" onClick={() => setRuns([later])}>
					Go on
				</button>
				<button type="button" onClick={() => setRuns([])}>
					End
				</button>
			</>
		);
	};
	const { user } = renderWith(<Panel />);
	await user.click(screen.getByRole("button", { name: /^Stop/ }));
	const said = () => screen.getByRole("dialog").textContent;
	await screen.findByRole("dialog");
	const before = said();
	const press = (name: string) => fireEvent.click(screen.getByRole("button", { name, hidden: true }));
	press("Go on");
	expect(said()).toBe(before);
	press("End");
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what the question before closing says stays as it was, though what runs goes on", async () => {
	const { happen, ...backend } = fakeBackend();
	let announce: (now: RunsNow) => void = () => {};
	renderWith(<CloseDialog />, {
		...backend,
		listRuns: () => new Promise(() => {}),
		onRuns: (listener) => {
			announce = listener;
			return () => {};
		},
	});
	await act(async () => announce({ revision: 1, running: [run], ended: [] }));
	act(() => happen.closeRequested());
	const dialog = await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" });
	const before = dialog.textContent;
	await act(async () => announce({ revision: 2, running: [later], ended: [] }));
	expect(dialog.textContent).toBe(before);
	expect(within(dialog).getByRole("button", { name: "Close anyway" })).toBeVisible();
});

test("the question before closing names no operation that has failed meanwhile", async () => {
	const { happen, ...backend } = fakeBackend();
	let announce: (now: RunsNow) => void = () => {};
	renderWith(<CloseDialog />, {
		...backend,
		listRuns: () => new Promise(() => {}),
		onRuns: (listener) => {
			announce = listener;
			return () => {};
		},
	});
	await act(async () => announce({ revision: 1, running: [run], ended: [] }));
	act(() => happen.closeRequested());
	await screen.findByRole("dialog", { name: "Close the app while 1 operation is running?" });
	await act(async () => announce({ revision: 2, running: [], ended: [] }));
	const dialog = screen.getByRole("dialog", { name: "Close the app?" });
	expect(dialog).not.toHaveTextContent("Server import");
	expect(dialog).toHaveTextContent("No operations are running.");
	expect(within(dialog).getByRole("button", { name: "Close app" })).toBeVisible();
});
