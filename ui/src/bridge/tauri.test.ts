import { vi } from "vitest";
import { commands, events, type RunView } from "./bindings";
import { tauriBackend } from "./tauri";

test("a command's problem rejects as that problem", async () => {
	const error = { kind: "signIn", site: "city", server: null } as const;
	vi.spyOn(commands, "listServices").mockResolvedValue({ status: "error", error });
	await expect(tauriBackend().listServices("city")).rejects.toEqual(error);
});

test("a refusal of the framework rejects as unexpected", async () => {
	vi.spyOn(commands, "listSites").mockResolvedValue({ status: "error", error: "list_sites not allowed" });
	await expect(tauriBackend().listSites()).rejects.toEqual({ kind: "unexpected", message: "list_sites not allowed" });
	vi.spyOn(commands, "about").mockRejectedValue("about not found");
	await expect(tauriBackend().about()).rejects.toEqual({ kind: "unexpected", message: "about not found" });
});

test("an answer is unwrapped", async () => {
	vi.spyOn(commands, "listDataRoots").mockResolvedValue({ status: "ok", data: ["/fileShares"] });
	await expect(tauriBackend().listDataRoots("city")).resolves.toEqual(["/fileShares"]);
});

test("runs are heard until the listener leaves", async () => {
	const stop = vi.fn();
	const heard = vi.fn();
	const step = { kind: "waiting" } as const;
	const runs: RunView[] = [
		{
			id: "r",
			site: "city",
			siteName: "City GIS",
			operation: "find_items",
			act: null,
			startedAt: 0,
			step,
			usual: null,
		},
	];
	const listen = vi.spyOn(events.runsChanged, "listen").mockResolvedValue(stop);
	const leave = tauriBackend().onRuns(heard);
	listen.mock.calls[0]?.[0]({ event: "runs-changed", id: 1, payload: { runs, ended: [] } });
	expect(heard).toHaveBeenCalledWith(runs, []);
	leave();
	await vi.waitFor(() => expect(stop).toHaveBeenCalled());
});
