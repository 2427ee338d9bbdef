import type { ImportPortalForm, Parameter } from "@/bridge";
import { destinationIn, noPortalStore, type PortalDestinationValues, storeOf } from "@/components/portal-destination";
import { parameterOf } from "@/lib/history-text";

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

/**
 * Returns the file of an earlier import and the location of its content. The history does not contain the account key. A rehearsal
 * also brings the version that wrote the file, because the history of the test site does not have the export.
 */
export function fileOf(sent: readonly Parameter[]): Partial<Values> {
	return {
		...destinationIn(sent),
		location: parameterOf(sent, "location"),
		exportVersion: parameterOf(sent, "exportVersion"),
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
