import { SimpleGrid, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { Parameter, PortalStoreForm } from "@/bridge";
import { SecretInput } from "@/components/path-field";
import { labelled } from "@/lib/drafts";
import { parameterOf } from "@/lib/history-text";
import { ChoiceField } from "./choice";

/** Fields of all kinds of destinations, so that switching between kinds keeps the input. */
export interface PortalDestinationValues {
	kind: "folder" | "bucket" | "blob";
	bucket: string;
	region: string;
	container: string;
	accountName: string;
	accountKey: string;
	accountEndpoint: string;
}

export const noPortalStore: PortalDestinationValues = {
	kind: "folder",
	bucket: "",
	region: "",
	container: "",
	accountName: "",
	accountKey: "",
	accountEndpoint: "",
};

/** Returns the object storage of a destination; `null` for a folder. */
export function storeOf({ kind, ...values }: PortalDestinationValues): PortalStoreForm | null {
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

/** Returns the destination of an earlier request. The history does not contain the account key. */
export function destinationIn(sent: readonly Parameter[]): PortalDestinationValues {
	const accountName = parameterOf(sent, "accountName");
	const store = parameterOf(sent, "backupObjectStore");
	const kind = accountName !== "" ? "blob" : store !== "" ? "bucket" : "folder";
	return {
		...noPortalStore,
		kind,
		bucket: kind === "bucket" ? store : "",
		region: parameterOf(sent, "backupObjectStoreRegion"),
		container: kind === "blob" ? store : "",
		accountName,
		accountEndpoint: parameterOf(sent, "accountEndpoint"),
	};
}

/** Two fields beside each other if there is room. */
const pair = { type: "container", cols: { base: 1, "20em": 2 } } as const;

type Kind = PortalDestinationValues["kind"];

interface PortalDestinationProps<K extends string> {
	kind: Kind | K;
	label?: string;
	/** A further kind of destination; `null` for none. */
	further?: { value: K; label: string } | null;
	getInputProps: (
		field: keyof PortalDestinationValues,
	) => ReturnType<UseFormReturnType<PortalDestinationValues>["getInputProps"]>;
	/** Description of the account key. */
	keyHint: string;
}

/** Destination of a portal export with the fields of object storage. The folder is a field of the form itself. */
export function PortalDestination<K extends string = never>({
	kind,
	label,
	further = null,
	getInputProps,
	keyHint,
}: PortalDestinationProps<K>) {
	const { t } = useTranslation("exportPortal");
	const kinds = (["folder", "bucket", "blob"] as const).map((value) => ({ value: value as string, label: t(value) }));
	return (
		<>
			<ChoiceField
				label={label ?? t("target")}
				data={further ? [...kinds, further] : kinds}
				{...getInputProps("kind")}
			/>
			{kind === "bucket" ? (
				<SimpleGrid {...pair}>
					<TextInput label={t("bucketName")} {...getInputProps("bucket")} />
					<TextInput label={t("region")} {...getInputProps("region")} />
				</SimpleGrid>
			) : null}
			{kind === "blob" ? (
				<>
					<TextInput {...labelled(t, "container")} {...getInputProps("container")} />
					<TextInput label={t("accountEndpoint")} {...getInputProps("accountEndpoint")} />
					<SimpleGrid {...pair}>
						<TextInput label={t("accountName")} {...getInputProps("accountName")} />
						<SecretInput
							label={t("accountKey")}
							description={keyHint}
							inputWrapperOrder={["label", "input", "description", "error"]}
							{...getInputProps("accountKey")}
						/>
					</SimpleGrid>
				</>
			) : null}
		</>
	);
}
