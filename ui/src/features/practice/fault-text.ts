import { useTranslation } from "react-i18next";
import type { FaultTarget, InjectedFault, OperationKey } from "@/bridge";

type File = Exclude<FaultTarget, OperationKey>;

export const mishaps: readonly InjectedFault[] = [
	"serviceWillNotStart",
	"unwritableFolder",
	"delay",
	"expiredToken",
	"html",
	"truncated",
	"reset",
	"badGateway",
];

const targets: readonly FaultTarget[] = [
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
export function targetsOf(mishap: InjectedFault): readonly FaultTarget[] {
	if (mishap === "unwritableFolder") return ["export_portal", "export_server"];
	if (mishap === "serviceWillNotStart") return ["import_server"];
	return targets;
}

/** Whether the site may do what it was asked for all the same. */
export function losesAnswer(mishap: InjectedFault): boolean {
	return mishap === "html" || mishap === "reset" || mishap === "badGateway";
}

const isFile = (target: FaultTarget): target is File => /upload/.test(target);

export function useTargetWords(): (target: FaultTarget) => string {
	const { t } = useTranslation(["mishaps", "common"]);
	return (target) => (isFile(target) ? t(`target.${target}`) : t(`common:operation.${target}.name`));
}
