import { vi } from "vitest";
import { cityServer } from "@/test/targets";
import { commands, events, type FaultTarget, type OperationForm, type OperationKey, type RunView } from "./bindings";
import { tauriBackend } from "./tauri";

test("a command's problem rejects as that problem", async () => {
	const problem = { kind: "signIn", site: "city", server: null } as const;
	vi.spyOn(commands, "listServices").mockRejectedValue(problem);
	await expect(tauriBackend().listServices(cityServer)).rejects.toEqual(problem);
});

test("a refusal of the framework rejects as unexpected", async () => {
	vi.spyOn(commands, "about").mockRejectedValue("about not found");
	await expect(tauriBackend().about()).rejects.toEqual({ kind: "unexpected", message: "about not found" });
});

test("a command gets the parameters in their order, and its answer comes back", async () => {
	const called = vi.spyOn(commands, "listDataRoots").mockResolvedValue(["/fileShares"]);
	await expect(tauriBackend().listDataRoots(cityServer)).resolves.toEqual(["/fileShares"]);
	expect(called).toHaveBeenCalledWith(cityServer);
});

test("the window can call every command", () => {
	expect(Object.keys(tauriBackend())).toEqual(expect.arrayContaining(Object.keys(commands)));
});

test("every operation has a form for its request preview, and can be the target of a simulated fault", () => {
	expectTypeOf<OperationForm["operation"]>().toEqualTypeOf<OperationKey>();
	expectTypeOf<OperationKey>().toExtend<FaultTarget>();
});

test("runs are heard until the listener leaves", async () => {
	const stop = vi.fn();
	const heard = vi.fn();
	const step = { kind: "waiting" } as const;
	const running: RunView[] = [
		{
			id: "r",
			site: "city",
			server: null,
			serverName: null,
			siteName: "City GIS",
			operation: "find_items",
			act: null,
			isUndo: false,
			startedAt: 0,
			step,
			sent: false,
			usual: null,
		},
	];
	const now = { revision: 1, running, ended: [] };
	const listen = vi.spyOn(events.runsChanged, "listen").mockResolvedValue(stop);
	const leave = tauriBackend().onRuns(heard);
	listen.mock.calls[0]?.[0]({ event: "runs-changed", id: 1, payload: { now } });
	expect(heard).toHaveBeenCalledWith(now);
	leave();
	await vi.waitFor(() => expect(stop).toHaveBeenCalled());
});
