import type { ExportPortalForm, Parameter } from "@/bridge";
import { noPortalStore, type PortalDestinationValues } from "@/components/portal-destination";
import { parameterOf } from "@/lib/parameter-of";

/** Everything that can be filled in. */
export interface Values extends PortalDestinationValues {
	location: string;
	/** Reason or ticket, for the history. */
	reason: string;
}

export const empty: Values = { ...noPortalStore, location: "", reason: "" };

export function request(values: Values, checkOnly: boolean): ExportPortalForm {
	const { kind, location, bucket, region, container, accountName, accountKey, accountEndpoint } = values;
	switch (kind) {
		case "folder":
			return { target: { kind, location }, checkOnly };
		case "bucket":
			return { target: { kind, location, bucket, region }, checkOnly };
		case "blob":
			return { target: { kind, location, container, accountName, accountKey, accountEndpoint }, checkOnly };
	}
}

/** What was sent, back in the form. The key of an account is kept nowhere. */
export function valuesOf(sent: readonly Parameter[]): Values {
	const accountName = parameterOf(sent, "accountName");
	const store = parameterOf(sent, "backupObjectStore");
	const region = parameterOf(sent, "backupObjectStoreRegion");
	const kind = accountName !== "" ? "blob" : store !== "" ? "bucket" : "folder";
	return {
		...empty,
		kind,
		location: parameterOf(sent, "location"),
		bucket: kind === "bucket" ? store : "",
		region,
		container: kind === "blob" ? store : "",
		accountName,
		accountEndpoint: parameterOf(sent, "accountEndpoint"),
	};
}
