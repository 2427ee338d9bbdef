import { ActionIcon, Button, Group, Select, Stack, Text, Tooltip } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { IconRefresh } from "@tabler/icons-react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ServerUpload, type SiteView, useBackend } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { formatSize, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { queryKeys, useUploads } from "@/lib/queries";

interface StoredFileProps {
	site: SiteView;
	/** The field that holds the identifier of the chosen one. */
	input: GetInputPropsReturnType;
	/** The chosen one. */
	chosen: string | null;
}

/** One of the files that the server stores, newest first. */
export function StoredFile({ site, input, chosen }: StoredFileProps) {
	const { t } = useTranslation("importServer");
	const uploads = useUploads(site.id);
	const { go } = useNavigation();
	if (uploads.isPending) return <LoadingRows rows={1} />;
	if (uploads.error) return <ProblemNotice problem={uploads.error} onRetry={() => void uploads.refetch()} />;
	if (uploads.data.length === 0) {
		return (
			<Stack gap="xs" align="flex-start">
				<Text size="sm">{t("noStored")}</Text>
				<Group gap="xs">
					<Button
						size="xs"
						variant="default"
						onClick={() => go({ page: "operation", site: site.id, key: "export_server" })}
					>
						{t("toExport")}
					</Button>
					<Button size="xs" variant="default" loading={uploads.isFetching} onClick={() => void uploads.refetch()}>
						{t("refresh")}
					</Button>
				</Group>
			</Stack>
		);
	}
	return (
		<Stack gap={4}>
			<Group gap="xs" align="flex-end" wrap="nowrap">
				<Select
					flex={1}
					label={t("storedFile")}
					description={t("storedHint")}
					placeholder={t("storedNone")}
					// Whoever picks again what is picked means it.
					allowDeselect={false}
					data={newestFirst(uploads.data).map((upload) => ({ value: upload.id, label: labelOf(upload) }))}
					{...input}
				/>
				<Tooltip label={t("refresh")}>
					<ActionIcon
						size={36}
						variant="default"
						aria-label={t("refresh")}
						loading={uploads.isFetching}
						onClick={() => void uploads.refetch()}
					>
						<IconRefresh size={16} aria-hidden />
					</ActionIcon>
				</Tooltip>
			</Group>
			<StoredFacts site={site} chosen={uploads.data.some(({ id }) => id === chosen) ? chosen : null} />
		</Stack>
	);
}

/** How large the chosen one is, and where it is on this computer, as far as it is known. */
function StoredFacts({ site, chosen }: Pick<StoredFileProps, "site" | "chosen">) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const file = useQuery({
		queryKey: queryKeys.storedFile(site.id, chosen ?? ""),
		queryFn: chosen ? () => backend.storedFile(site.id, chosen) : skipToken,
	}).data;
	if (!file) return null;
	return (
		<Text size="sm" role="status" style={{ overflowWrap: "anywhere" }}>
			{file.size === null ? t("storedSizeUnknown") : t("storedSize", { size: formatSize(file.size) })}
			{file.local === null ? null : ` ${t("storedLocal", { path: file.local })}`}
		</Text>
	);
}

function newestFirst(uploads: readonly ServerUpload[]): ServerUpload[] {
	// What has no date that can be read keeps the server's order, at the end.
	return [...uploads].sort((one, other) => (momentOf(other) ?? 0) - (momentOf(one) ?? 0));
}

function labelOf(upload: ServerUpload): string {
	const moment = momentOf(upload);
	const when = moment === null ? upload.date : formatTime(moment);
	return when ? `${upload.name} · ${when}` : upload.name;
}

/** Some servers write a date as milliseconds, others as a text. */
function momentOf({ date }: ServerUpload): number | null {
	const moment = /^\d+$/.test(date) ? Number(date) : Date.parse(date);
	return Number.isNaN(moment) ? null : moment;
}
