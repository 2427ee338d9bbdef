import { Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { SiteView, StoredUpload } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { useUploads } from "@/lib/queries";
import { Upload } from "./upload";

export interface Values {
	kind: "stored" | "path";
	/** Identifier of a stored upload. */
	stored: string | null;
	location: string;
	confirmation: string;
	/** Whether the server is exported before. */
	parachute: boolean;
	alsoHere: boolean;
}

/** Where the file is: among the uploads that the server stores, or anywhere the server can read. */
export function FileChoice({ site, form }: { site: SiteView; form: UseFormReturnType<Values> }) {
	const { t } = useTranslation("importServer");
	return (
		<Stack gap="sm">
			<SegmentedControl
				fullWidth
				aria-label={t("step1")}
				data={(["stored", "path"] as const).map((value) => ({ value, label: t(value) }))}
				{...form.getInputProps("kind")}
			/>
			{form.values.kind === "stored" ? (
				<>
					<Stored site={site} form={form} />
					<Upload site={site} onUploaded={(item) => form.setFieldValue("stored", item)} />
				</>
			) : (
				<TextInput
					label={t("location")}
					description={t("locationHint")}
					spellCheck={false}
					{...form.getInputProps("location")}
				/>
			)}
		</Stack>
	);
}

function Stored({ site, form }: { site: SiteView; form: UseFormReturnType<Values> }) {
	const { t } = useTranslation("importServer");
	const uploads = useUploads(site.id);
	if (uploads.isPending) return <LoadingRows rows={1} />;
	if (uploads.error) return <ProblemNotice problem={uploads.error} onRetry={() => void uploads.refetch()} />;
	return (
		<Stack gap="xs">
			{uploads.data.length === 0 ? (
				<Text size="sm">{t("noStored")}</Text>
			) : (
				<Select
					label={t("storedFile")}
					description={t("storedHint")}
					data={uploads.data.map((upload) => ({ value: upload.id, label: labelOf(upload) }))}
					{...form.getInputProps("stored")}
				/>
			)}
			<Group>
				<Button size="xs" variant="default" onClick={() => void uploads.refetch()}>
					{t("refresh")}
				</Button>
			</Group>
		</Stack>
	);
}

/** Some servers write a date as a text, others as milliseconds. */
function labelOf({ name, date }: StoredUpload): string {
	const when = /^\d+$/.test(date) ? formatTime(Number(date)) : date;
	return when ? `${name} · ${when}` : name;
}
