import type { Millis } from "@/bridge";
import type { TargetNames } from "./target";

/** Returns the last part of a path, with either separator. */
export function fileName(path: string): string {
	return path.split(/[\\/]/).at(-1) ?? "";
}

/** Returns a path without its last part. */
export function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, "");
}

/**
 * Returns the suggested name of a saved table, as the backend names its files: server, site, content, time. Slashes are
 * replaced, because the backend would use only what follows the last one.
 */
export function tableName({ serverName, siteName }: TargetNames, what: string, at: Millis = Date.now()): string {
	const name = [serverName, siteName, what, moment(new Date(at))].filter(Boolean).join(" ");
	return name.replace(/[/\\]/g, "-");
}

function moment(at: Date): string {
	const two = (part: number) => String(part).padStart(2, "0");
	const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
	return `${day.join("-")} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-")}`;
}
