import type { ImportPortalForm, Parameter, PortalStoreForm } from "@/bridge";
import { noPortalStore, type PortalDestinationValues } from "@/components/portal-destination";
import { parameterOf } from "@/lib/parameter-of";

/** Values of the form. `kind` is where the content of the export is: `folder` if the file contains it. */
export interface Values extends PortalDestinationValues {
	location: string;
	/** Version of the portal that wrote the file, if the history does not contain it. */
	exportVersion: string;
	/** Whether a safety backup is created first, and its folder. */
	isSecured: boolean;
	safetyBackup: string;
	confirmation: string;
	reason: string;
}

export const empty: Values = {
	...noPortalStore,
	location: "",
	exportVersion: "",
	isSecured: true,
	safetyBackup: "",
	confirmation: "",
	reason: "",
};

function storeOf({ kind, ...values }: Values): PortalStoreForm | null {
	const { bucket, region, container, accountName, accountKey, accountEndpoint } = values;
	switch (kind) {
		case "folder":
			return null;
		case "bucket":
			return { kind, bucket, region };
		case "blob":
			return { kind, container, accountName, accountKey, accountEndpoint };
	}
}

/**
 * Returns the file of an earlier import and the location of its content. The history does not contain the account key. A rehearsal
 * also brings the version that wrote the file, because the history of the test site does not have the export.
 */
export function fileOf(sent: readonly Parameter[]): Partial<Values> {
	const accountName = parameterOf(sent, "accountName");
	const store = parameterOf(sent, "backupObjectStore");
	const kind = accountName !== "" ? "blob" : store !== "" ? "bucket" : "folder";
	return {
		...noPortalStore,
		kind,
		location: parameterOf(sent, "location"),
		exportVersion: parameterOf(sent, "exportVersion"),
		bucket: kind === "bucket" ? store : "",
		region: parameterOf(sent, "backupObjectStoreRegion"),
		container: kind === "blob" ? store : "",
		accountName,
		accountEndpoint: parameterOf(sent, "accountEndpoint"),
	};
}

export function request(values: Values, checkOnly: boolean): ImportPortalForm {
	const { location, exportVersion, isSecured, safetyBackup, confirmation } = values;
	return {
		location: location.trim(),
		store: storeOf(values),
		exportVersion: exportVersion.trim() || null,
		safetyBackup: isSecured ? safetyBackup : null,
		confirmation: confirmation.trim(),
		checkOnly,
	};
}
