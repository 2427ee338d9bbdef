import type { ExportPortalForm, Parameter } from "@/bridge";
import { noPortalStore, type PortalDestinationValues } from "@/components/portal-destination";
import { parameterOf } from "@/lib/parameter-of";

export interface Values extends Omit<PortalDestinationValues, "kind"> {
	/** Destination. `portal`: a directory that the portal chooses. */
	kind: PortalDestinationValues["kind"] | "portal";
	location: string;
	reason: string;
}

export const empty: Values = { ...noPortalStore, location: "", reason: "" };

export function request(values: Values, checkOnly: boolean): ExportPortalForm {
	const { kind, location, bucket, region, container, accountName, accountKey, accountEndpoint } = values;
	switch (kind) {
		case "portal":
			return { target: { kind }, checkOnly };
		case "folder":
			return { target: { kind, location }, checkOnly };
		case "bucket":
			return { target: { kind, location, bucket, region }, checkOnly };
		case "blob":
			return { target: { kind, location, container, accountName, accountKey, accountEndpoint }, checkOnly };
	}
}

/** Returns a sent form without the account key, which must not stay in memory. */
export function withoutKey(form: ExportPortalForm): ExportPortalForm {
	return form.target.kind === "blob" ? { ...form, target: { ...form.target, accountKey: "" } } : form;
}

/** Returns the values of an earlier request. The history does not contain the account key. */
export function valuesOf(sent: readonly Parameter[]): Values {
	const accountName = parameterOf(sent, "accountName");
	const store = parameterOf(sent, "backupObjectStore");
	const region = parameterOf(sent, "backupObjectStoreRegion");
	const location = parameterOf(sent, "location");
	const kind = accountName !== "" ? "blob" : store !== "" ? "bucket" : location !== "" ? "folder" : "portal";
	return {
		...empty,
		kind,
		location,
		bucket: kind === "bucket" ? store : "",
		region,
		container: kind === "blob" ? store : "",
		accountName,
		accountEndpoint: parameterOf(sent, "accountEndpoint"),
	};
}

/** Returns the folder of an export; empty for the directory of the portal. */
export const folderOf = ({ target }: ExportPortalForm): string => (target.kind === "portal" ? "" : target.location);
