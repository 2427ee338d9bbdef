import type { ExportPortalForm, Parameter } from "@/bridge";
import type { SentParameter } from "@/components/sent-preview";
import { parameterOf } from "@/lib/last-parameters";

/** Everything that can be filled in, whatever the target: switching between targets loses nothing. */
export interface Values {
	kind: "folder" | "bucket" | "blob";
	location: string;
	bucket: string;
	region: string;
	container: string;
	accountName: string;
	accountKey: string;
	accountEndpoint: string;
}

export const empty: Values = {
	kind: "folder",
	location: "",
	bucket: "",
	region: "",
	container: "",
	accountName: "",
	accountKey: "",
	accountEndpoint: "",
};

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

/** As the specification names them. */
export function parameters(values: Values): SentParameter[] {
	const location = { name: "location", value: values.location };
	switch (values.kind) {
		case "folder":
			return [location];
		case "bucket":
			return [
				location,
				{ name: "backupObjectStore", value: values.bucket },
				{ name: "backupObjectStoreRegion", value: values.region },
			];
		case "blob":
			return [
				location,
				{ name: "backupObjectStore", value: values.container },
				{ name: "backupObjectStoreConnectionStr", value: connection(values) },
			];
	}
}

/** As the portal receives it, but for the key. */
function connection({ accountName, accountKey, accountEndpoint }: Values): string {
	return JSON.stringify({ accountName, accountKey: accountKey === "" ? "" : "••••••", accountEndpoint });
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
