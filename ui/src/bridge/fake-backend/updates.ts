import type { UpdateFault, UpdateStage, UpdateView } from "../bindings";
import type { Doings } from "./answer";
import { listeners } from "./listeners";
import type { World } from "./world";

/** App updates. With `endless`, downloads run until they are stopped. */
export function updating(world: World, endless: boolean) {
	const { listen: onUpdate, tell } = listeners<UpdateView>();
	let stop = () => {};

	function stand(stage: UpdateStage, fault: UpdateFault | null = null): UpdateView {
		world.updates = { stage, fault };
		tell(world.updates);
		return world.updates;
	}

	const doings = {
		updateState: () => world.updates,
		checkForUpdate: () => {
			if (world.updateFault) return stand({ kind: "notLooked" }, world.updateFault);
			return stand(world.newest ? { kind: "newer", ...world.newest } : { kind: "upToDate" });
		},
		installUpdate: async (version) => {
			const { stage } = world.updates;
			if (stage.kind !== "newer" || stage.release.version !== version) return stand(stage, { kind: "notOffered" });
			const { release } = stage;
			stand({ kind: "downloading", release, done: 10_000_000, total: 40_000_000 });
			if (endless) {
				await new Promise<void>((resolve) => {
					stop = resolve;
				});
				return stand(stage);
			}
			return world.updateFault ? stand(stage, world.updateFault) : stand({ kind: "installed", release });
		},
		stopUpdate: () => stop(),
		restartForUpdate: () => stand(world.updates.stage, world.updateFault),
	} satisfies Partial<Doings>;
	return { onUpdate, doings };
}
