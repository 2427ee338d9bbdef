import type { ExportPortalForm, Parameter } from "@/bridge";
import { destinationIn, noPortalStore, type PortalDestinationValues, storeOf } from "@/components/portal-destination";
import { parameterOf } from "@/lib/parameter-of";

export interface Values extends Omit<PortalDestinationValues, "kind"> {
	/** Destination. `portal`: a directory that the portal chooses. */
	kind: PortalDestinationValues["kind"] | "portal";
	location: string;
	reason: string;
}

export const empty: Values = { ...noPortalStore, location: "", reason: "" };

export function request(values: Values, checkOnly: boolean): ExportPortalForm {
	const { kind, location } = values;
	if (kind === "portal") return { target: { kind }, checkOnly };
	return { target: { ...(storeOf({ ...values, kind }) ?? { kind: "folder" }), location }, checkOnly };
}

/** Returns a sent form without the account key, which must not stay in memory. */
export function withoutKey(form: ExportPortalForm): ExportPortalForm {
	return form.target.kind === "blob" ? { ...form, target: { ...form.target, accountKey: "" } } : form;
}

/** Returns the values of an earlier request. The history does not contain the account key. */
export function valuesOf(sent: readonly Parameter[]): Values {
	const destination = destinationIn(sent);
	const location = parameterOf(sent, "location");
	const isOfPortal = destination.kind === "folder" && location === "";
	return { ...empty, ...destination, kind: isOfPortal ? "portal" : destination.kind, location };
}

/** Returns the folder of an export; empty for the directory of the portal. */
export const folderOf = ({ target }: ExportPortalForm): string => (target.kind === "portal" ? "" : target.location);
