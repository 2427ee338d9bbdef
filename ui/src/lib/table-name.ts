import type { Millis } from "@/bridge";
import type { TargetNames } from "./target-name";

/**
 * The suggested name of a table that is saved, as the program names its files: the server, the site, what it holds, and
 * when that was. Of a name with a slash the program takes what follows the last one.
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
