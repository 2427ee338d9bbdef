import type { Backend } from "../backend";
import type { UpdateFault, UpdateStage, UpdateView } from "../bindings";
import type { Answer } from "./answer";
import type { World } from "./world";

type Updating = Pick<
	Backend,
	"updateState" | "onUpdate" | "lookForUpdate" | "installUpdate" | "stopUpdate" | "restartForUpdate"
>;

/** Newer versions; `endless` downloads go on until they are stopped. */
export function updating(world: World, answer: Answer, endless: boolean): Updating {
	const listeners = new Set<(now: UpdateView) => void>();
	let stop = () => {};

	function stand(stage: UpdateStage, fault: UpdateFault | null = null): UpdateView {
		world.updates = { stage, fault };
		for (const listener of listeners) listener(structuredClone(world.updates));
		return world.updates;
	}

	return {
		updateState: () => answer("updateState", () => world.updates),
		onUpdate: (listener) => {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		lookForUpdate: () =>
			answer("lookForUpdate", () => {
				if (world.updateFault) return stand({ kind: "notLooked" }, world.updateFault);
				return stand(world.newest ? { kind: "newer", ...world.newest } : { kind: "upToDate" });
			}),
		installUpdate: async (version) => {
			const { stage } = world.updates;
			if (stage.kind !== "newer" || stage.release.version !== version) {
				return answer("installUpdate", () => stand(stage, { kind: "notOffered" }));
			}
			const { release } = stage;
			stand({ kind: "downloading", release, done: 10_000_000, total: 40_000_000 });
			if (endless) {
				await new Promise<void>((resolve) => {
					stop = resolve;
				});
				return stand(stage);
			}
			return answer("installUpdate", () =>
				world.updateFault ? stand(stage, world.updateFault) : stand({ kind: "installed", release }),
			);
		},
		stopUpdate: () => answer("stopUpdate", () => stop()),
		restartForUpdate: () => answer("restartForUpdate", () => stand(world.updates.stage, world.updateFault)),
	};
}
