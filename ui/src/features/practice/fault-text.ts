import { useTranslation } from "react-i18next";
import { type FaultTarget, type InjectedFault, type OperationKey, operations } from "@/bridge";
import { operationUis } from "@/operations";

export const faults: readonly InjectedFault[] = [
	"serviceWillNotStart",
	"unwritableFolder",
	"delay",
	"expiredToken",
	"html",
	"truncated",
	"reset",
	"badGateway",
	"unregisteredRedirect",
	"boundToken",
	"licenseExpiresSoon",
	"otherCertificate",
	"indexLags",
	"invalidServer",
	"orphan",
	"refused",
];

const targets: readonly FaultTarget[] = [
	...operations.map(({ key }) => key),
	"download_upload",
	"upload_file",
	"upload_part",
	"read_licenses",
	"read_certificates",
	"read_index",
	"validate_servers",
	"read_backups",
];

export function targetsOf(fault: InjectedFault): readonly FaultTarget[] {
	if (fault === "unregisteredRedirect") return ["browser_sign_in"];
	if (fault === "boundToken") return ["create_token"];
	if (fault === "licenseExpiresSoon") return ["read_licenses"];
	if (fault === "otherCertificate") return ["read_certificates"];
	if (fault === "invalidServer") return ["validate_servers"];
	if (fault === "refused") return ["read_backups"];
	const named = operations.map(({ key }) => key).filter((key) => operationUis[key].faults?.includes(fault));
	return named.length > 0 ? named : targets;
}

/** Whether the fault loses the response, so that the site might have processed the request. */
export function losesAnswer(fault: InjectedFault): boolean {
	return fault === "html" || fault === "reset" || fault === "badGateway";
}

const isOperation = (target: FaultTarget): target is OperationKey & FaultTarget =>
	operations.some(({ key }) => key === target);

export function useTargetText(): (target: FaultTarget) => string {
	const { t } = useTranslation(["faultInjection", "common"]);
	return (target) => (isOperation(target) ? t(`common:operation.${target}.name`) : t(`target.${target}`));
}
