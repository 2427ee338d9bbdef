import { useTranslation } from "react-i18next";
import type { Key, Mishap, MishapTarget } from "@/bridge";

type File = Exclude<MishapTarget, Key>;

export const mishaps: readonly Mishap[] = [
	"serviceWillNotStart",
	"unwritableFolder",
	"delay",
	"expiredToken",
	"html",
	"truncated",
	"reset",
	"badGateway",
];

const targets: readonly MishapTarget[] = [
	"export_portal",
	"export_server",
	"import_server",
	"deactivate_webhooks",
	"find_items",
	"update_participant",
	"refresh_invitation",
	"download_upload",
	"upload_file",
	"upload_part",
];

/** To what a mishap can happen. */
export function targetsOf(mishap: Mishap): readonly MishapTarget[] {
	if (mishap === "unwritableFolder") return ["export_portal", "export_server"];
	if (mishap === "serviceWillNotStart") return ["import_server"];
	return targets;
}

/** Whether the site may do what it was asked for all the same. */
export function losesAnswer(mishap: Mishap): boolean {
	return mishap === "html" || mishap === "reset" || mishap === "badGateway" || mishap === "expiredToken";
}

const isFile = (target: MishapTarget): target is File => /upload/.test(target);

export function useTargetWords(): (target: MishapTarget) => string {
	const { t } = useTranslation(["mishaps", "common"]);
	return (target) => (isFile(target) ? t(`target.${target}`) : t(`common:operation.${target}.name`));
}
