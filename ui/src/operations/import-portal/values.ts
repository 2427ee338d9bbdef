import type { ImportPortalForm } from "@/bridge";

/** What is filled in. */
export interface Values {
	location: string;
	/** Version of the portal that wrote the file, where the history does not know it. */
	exportVersion: string;
	/** Whether a safety backup is created first, and its folder. */
	isSecured: boolean;
	safetyBackup: string;
	confirmation: string;
	/** Reason or ticket, for the history. */
	reason: string;
}

export const empty: Values = {
	location: "",
	exportVersion: "",
	isSecured: true,
	safetyBackup: "",
	confirmation: "",
	reason: "",
};

export function request(values: Values, checkOnly: boolean): ImportPortalForm {
	const { location, exportVersion, isSecured, safetyBackup, confirmation } = values;
	return {
		location: location.trim(),
		exportVersion: exportVersion.trim() || null,
		safetyBackup: isSecured ? safetyBackup : null,
		confirmation: confirmation.trim(),
		checkOnly,
	};
}
