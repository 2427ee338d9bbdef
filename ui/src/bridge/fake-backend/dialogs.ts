import type { SaveResult } from "../bindings";
import type { World } from "./world";

export const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export function savedFile({ dialogs }: Pick<World, "dialogs">, name: string, size: number): SaveResult {
	if (dialogs.saveTo === null) return { kind: "dismissed" };
	return { kind: "saved", file: { path: `${dialogs.saveTo}/${name}`, size, sha256 } };
}

export const nameOfFile = (path: string): string => path.split("/").at(-1) ?? path;
