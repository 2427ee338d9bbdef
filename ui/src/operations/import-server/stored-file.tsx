import { ActionIcon, Button, Group, Select, Stack, Text, Tooltip } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServerUpload, SiteView } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { LookInto } from "@/components/look-into";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { formatSize, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { operationThat, useOperationUis } from "@/lib/operation-ui";
import { usePageKey } from "@/lib/page-keys";
import { useStoredFile, useUploads } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { isolated } from "@/messages/isolated";
import { DeleteStored, useDeleteStored } from "./delete-stored";
import { momentOf, newestFirst } from "./upload-date";

interface StoredFileProps {
	site: SiteView;
	/** Props of the field with the ID of the selected upload. */
	input: GetInputPropsReturnType;
}

/** Selects a stored upload, newest first, or deletes it. */
export function StoredFile({ site, input }: StoredFileProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const deletion = useDeleteStored(site);
	const { data, variables } = deletion;
	return (
		<Stack gap="xs">
			{deletion.error ? <ProblemNotice problem={deletion.error} /> : null}
			{data !== undefined && variables ? (
				<Outcome outcome="succeeded" title={t("remove.done", { name: variables.upload.name, site: target })} />
			) : null}
			<Choice site={site} input={input} deletion={deletion} />
		</Stack>
	);
}

function Choice({ site, input, deletion }: StoredFileProps & { deletion: ReturnType<typeof useDeleteStored> }) {
	const { t } = useTranslation("importServer");
	const { t: common } = useTranslation();
	const key = usePageKey("refresh");
	const uploads = useUploads(serverOf(site));
	const storing = operationThat(useOperationUis(), ({ storesUpload }) => storesUpload);
	const { go } = useNavigation();
	const labelOf = useLabel();
	if (uploads.isPending) return <LoadingRows rows={1} />;
	const failed = uploads.error ? (
		<ProblemNotice problem={uploads.error} onRetry={() => void uploads.refetch()} />
	) : null;
	if (!uploads.data) return failed;
	if (uploads.data.length === 0) {
		return (
			<Stack gap="xs" align="flex-start">
				{failed}
				<Text>{t("noStored")}</Text>
				<Group gap="xs">
					<Button onClick={() => go({ page: "operation", ...serverOf(site), key: storing })}>{t("toExport")}</Button>
					<Button loading={uploads.isFetching} onClick={() => void uploads.refetch()} {...key}>
						{t("refresh")}
					</Button>
				</Group>
			</Stack>
		);
	}
	const chosen = uploads.data.find(({ id }) => id !== "" && id === input.value) ?? null;
	return (
		<Stack gap={4}>
			{failed}
			<Group gap="xs" align="flex-end" wrap="nowrap">
				<Select
					flex={1}
					label={t("storedFile")}
					description={t("storedHint")}
					placeholder={t("storedNone")}
					// Selecting the selected option again must not clear the field.
					allowDeselect={false}
					data={newestFirst(uploads.data).map((upload, at) =>
						upload.id === ""
							? {
									value: `unreadable ${at}`,
									label: `${labelOf(upload)} · ${common("unreadableEntry")}`,
									disabled: true,
								}
							: { value: upload.id, label: labelOf(upload) },
					)}
					{...input}
				/>
				<Tooltip label={`${t("refresh")} (${key.title})`}>
					<ActionIcon
						size={36}
						variant="default"
						aria-label={t("refresh")}
						loading={uploads.isFetching}
						onClick={() => void uploads.refetch()}
						data-page-action={key["data-page-action"]}
					>
						<IconRefresh size={16} aria-hidden />
					</ActionIcon>
				</Tooltip>
				<DeleteStored site={site} upload={chosen} deletion={deletion} />
			</Group>
			{chosen ? (
				<>
					<StoredFacts site={site} upload={chosen.id} />
					<LookInto key={chosen.id} target={serverOf(site)} file={{ kind: "upload", id: chosen.id }} />
				</>
			) : null}
		</Stack>
	);
}

/**
 * Returns a function that labels an upload with its local name if it was saved here, and otherwise with its name on the
 * server.
 */
function useLabel(): (upload: ServerUpload) => string {
	const { t } = useTranslation("importServer");
	return ({ name, date, here }) => {
		const moment = here?.at ?? momentOf(date);
		const parts = [
			here?.name ?? name,
			moment === null ? date : formatTime(moment),
			here?.size == null ? "" : formatSize(here.size),
			here?.isSafetyBackup ? t("isSafetyBackup") : "",
		].filter(Boolean);
		return parts.length === 1 ? name : parts.map(isolated).join(" · ");
	};
}

function StoredFacts({ site, upload }: { site: SiteView; upload: string }) {
	const { t } = useTranslation("importServer");
	const file = useStoredFile(serverOf(site), upload).data;
	if (!file) return null;
	return (
		<Text role="status" mod="anywhere">
			{file.size === null ? t("storedSizeUnknown") : t("storedSize", { size: formatSize(file.size) })}
			{file.local === null ? null : ` ${t("storedLocal", { path: file.local })}`}
		</Text>
	);
}
