import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { type ExportPortalForm, type ExportServerForm, newRun, useBackend } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { renderWith, signedInSite } from "@/test/render";
import { useOperation } from "./runs";
import { serverOf } from "./target";

const { site, world } = signedInSite();
const form: ExportPortalForm = { target: { kind: "folder", location: "/srv" }, checkOnly: false };

function Probe() {
	const backend = useBackend();
	const run = useOperation("export_portal", site, (id, values: ExportPortalForm) =>
		backend.exportPortal(site.id, id, values),
	);
	return (
		<>
			<output>{run.state.kind}</output>
			<p>{run.problem?.kind === "form" ? `${run.problem.field}: ${run.problem.fault}` : null}</p>
			<p>
				{run.state.kind === "running" && run.state.form
					? `sent to ${Object.values(run.state.form.target).at(-1)}`
					: null}
			</p>
			<button type="button" onClick={() => run.start(form)}>
				start
			</button>
			<button type="button" onClick={() => run.state.kind === "running" && void backend.stopRun(run.state.run)}>
				stop
			</button>
			<button type="button" onClick={run.reset}>
				reset
			</button>
		</>
	);
}

function Leaving() {
	const [here, setHere] = useState(true);
	return (
		<>
			<button type="button" onClick={() => setHere(!here)}>
				{here ? "leave" : "return"}
			</button>
			{here ? <Probe /> : null}
		</>
	);
}

const state = () => screen.getByRole("status").textContent;
const press = (name: string) => screen.getByRole("button", { name });

test("an operation ends as done and can be forgotten", async () => {
	const { user } = renderWith(<Probe />, { world });
	expect(state()).toBe("idle");
	await user.click(press("start"));
	await waitFor(() => expect(state()).toBe("done"));
	await user.click(press("reset"));
	expect(state()).toBe("idle");
});

test("leaving the screen neither stops nor forgets a run", async () => {
	const { user, backend } = renderWith(<Leaving />, { world, endless: ["exportPortal"] });
	await user.click(press("start"));
	expect(state()).toBe("running");
	expect(screen.getByText("sent to /srv")).toBeInTheDocument();
	await user.click(press("leave"));
	await waitFor(async () => expect((await backend.listRuns()).running).toHaveLength(1));
	await user.click(press("return"));
	expect(state()).toBe("running");
	await user.click(press("stop"));
	await waitFor(() => expect(state()).toBe("unknown"));
});

test("a fault of the form comes out by its field", async () => {
	const { user } = renderWith(<Probe />, { world, fail: { exportPortal: wrong("location", "required") } });
	await user.click(press("start"));
	await waitFor(() => expect(state()).toBe("failed"));
	expect(screen.getByText("location: required")).toBeInTheDocument();
});

test("a run that was begun before the window was loaded is taken up, and let go when it ends", async () => {
	const backend = fakeBackend({ world, endless: ["exportPortal"] });
	const before = backend.exportPortal(site.id, newRun("earlier"), form);
	await waitFor(async () => expect((await backend.listRuns()).running).toHaveLength(1));
	const { user } = renderWith(<Probe />, backend);
	await waitFor(() => expect(state()).toBe("running"));
	await user.click(press("stop"));
	await before;
	await waitFor(() => expect(state()).toBe("idle"));
});

/** Server export with a button that selects the other server. */
function TwoServers() {
	const backend = useBackend();
	const [currentServer, setCurrentServer] = useState("one");
	const shown = { ...site, currentServer };
	const run = useOperation("export_server", shown, (id, values: ExportServerForm) =>
		backend.exportServer(serverOf(shown), id, values),
	);
	return (
		<>
			<output>{run.state.kind}</output>
			<button type="button" onClick={() => run.start({ place: { kind: "serverFolder", location: "/srv" } })}>
				start
			</button>
			<button type="button" onClick={() => setCurrentServer(currentServer === "one" ? "two" : "one")}>
				other
			</button>
		</>
	);
}

test("what became of a run at one server is not shown at another", async () => {
	const { user, backend } = renderWith(<TwoServers />, { world });
	await user.click(press("start"));
	await waitFor(() => expect(state()).toBe("done"));
	await user.click(press("other"));
	expect(state()).toBe("idle");
	await user.click(press("other"));
	expect(state()).toBe("done");
	expect((await backend.listRuns()).ended).toMatchObject([{ server: "one" }]);
});
