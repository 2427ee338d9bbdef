import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { fakeBackend } from "@/bridge/fake-backend";
import type { NamedRun } from "@/lib/runs";
import { renderWith } from "@/test/render";
import { StopDialog } from "./stop-dialog";

function runOn(siteName: string): NamedRun {
	const step = { kind: "waiting" } as const;
	return { id: siteName, siteName, serverName: null, operation: "export_portal", act: null, isUndo: false, step };
}

function Runs() {
	const [run, setRun] = useState<NamedRun | null>(null);
	return (
		<>
			{["Harbor", "City"].map((name) => (
				<button key={name} type="button" onClick={() => setRun(runOn(name))}>
					{name}
				</button>
			))}
			<StopDialog run={run} onClose={() => setRun(null)} />
		</>
	);
}

test("the answer to one stop does not close the question about another", async () => {
	const backend = fakeBackend();
	let end = () => {};
	backend.stopRun = () => new Promise<void>((resolve) => (end = resolve));
	const { user } = renderWith(<Runs />, backend);
	await user.click(screen.getByText("Harbor"));
	await user.click(await screen.findByRole("button", { name: "Stop waiting" }));
	await user.click(screen.getByRole("button", { name: "Close" }));
	await user.click(screen.getByText("City"));
	await screen.findByRole("dialog", { name: /on City/ });
	await act(async () => end());
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(screen.getByRole("dialog", { name: /on City/ })).toBeVisible();
});
