import { useTranslation } from "react-i18next";
import { type FaultTarget, type InjectedFault, type OperationKey, operations } from "@/bridge";

type File = Exclude<FaultTarget, OperationKey>;

export const faults: readonly InjectedFault[] = [
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
	...operations.map(({ key }) => key),
	"download_upload",
	"upload_file",
	"upload_part",
];

/** To what a fault can happen. */
export function targetsOf(fault: InjectedFault): readonly FaultTarget[] {
	if (fault === "unwritableFolder") return ["export_portal", "export_server"];
	if (fault === "serviceWillNotStart") return ["import_server"];
	return targets;
}

/** Whether the site may do what it was asked for all the same. */
export function losesAnswer(fault: InjectedFault): boolean {
	return fault === "html" || fault === "reset" || fault === "badGateway";
}

const isFile = (target: FaultTarget): target is File => /upload/.test(target);

export function useTargetText(): (target: FaultTarget) => string {
	const { t } = useTranslation(["faultInjection", "common"]);
	return (target) => (isFile(target) ? t(`target.${target}`) : t(`common:operation.${target}.name`));
}
