import type { Backend } from "../backend";
import { cleared } from "./given";
import { history } from "./history";
import { importChecks } from "./import-checks";
import { items } from "./items";
import { listings } from "./listings";
import { localFiles } from "./local-files";
import { operations } from "./operations";
import { portalImports } from "./portal-imports";
import { program } from "./program";
import { runs } from "./runs";
import { signIn } from "./sign-in";
import { sites } from "./sites";
import type { Situation } from "./situation";

export const situations: readonly Situation[] = [
	...sites,
	...signIn,
	...listings,
	...operations,
	...importChecks,
	...portalImports,
	...localFiles,
	...runs,
	...items,
	...history,
	...program,
];

/** Plays a situation after removing what earlier ones left. */
export async function play({ play }: Situation, backend: Backend): Promise<void> {
	await cleared(backend);
	await play(backend);
}
