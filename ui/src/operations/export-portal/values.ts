import type { ExportPortalForm, Parameter } from "@/bridge";
import { noPortalStore, type PortalDestinationValues } from "@/components/portal-destination";
import { parameterOf } from "@/lib/parameter-of";

/** Everything that can be filled in. */
export interface Values extends Omit<PortalDestinationValues, "kind"> {
	/** Where the portal writes the export: `portal` is a directory of its own. */
	kind: PortalDestinationValues["kind"] | "portal";
	location: string;
	/** Reason or ticket, for the history. */
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

/** What is remembered of a form that was sent. */
export function withoutKey(form: ExportPortalForm): ExportPortalForm {
	return form.target.kind === "blob" ? { ...form, target: { ...form.target, accountKey: "" } } : form;
}

/** What was sent, back in the form. The key of an account is kept nowhere. */
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

/** The folder that an export was requested in; empty for a directory of the portal itself. */
export const folderOf = ({ target }: ExportPortalForm): string => (target.kind === "portal" ? "" : target.location);
