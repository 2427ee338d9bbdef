import { ActionIcon, Button, Group, Select, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import type { GetInputPropsReturnType, UseFormReturnType } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh, IconTrash } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { ExportLocation, Problem, ServerUpload, SiteView } from "@/bridge";
import { Choice } from "@/components/choice";
import { ConfirmDialog } from "@/components/dialog";
import { LookInto } from "@/components/look-into";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { toTypeForImport } from "@/lib/confirmation";
import { labelled } from "@/lib/drafts";
import { formatSize, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { operationThat, useOperationUis } from "@/lib/operation-ui";
import { usePageKey } from "@/lib/page-keys";
import { useBackedUp } from "@/lib/queries/history";
import { useStoredFile, useUploads } from "@/lib/queries/site";
import { serverOf, useTargetNameOf } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { useReadOnly } from "@/lib/use-read-only";
import { isolated } from "@/messages/isolated";
import { type LocalFile, Upload } from "./upload";
import { momentOf, newestFirst } from "./upload-date";

const places = ["stored", "here", "path"] as const;

export interface Values extends LocalFile {
	kind: (typeof places)[number];
	/** ID of a stored upload. */
	stored: string | null;
	location: string;
	confirmation: string;
	reason: string;
	safetyBackup: boolean;
	/** `null` until the user decides. The default depends on the disk space of this computer. */
	alsoHere: boolean | null;
	/** Whether webhooks are deactivated before the import and reactivated afterwards. */
	quiet: boolean;
	/** Whether the server checks the file before anything else is sent. */
	checkFirst: boolean;
	restartWebServer: boolean;
}

/** Returns the `location` parameter; empty if no file is selected. */
export function locationOf({ kind, stored, uploaded, location }: Values): string {
	switch (kind) {
		case "stored":
			return stored ?? "";
		case "here":
			return uploaded?.item ?? "";
		case "path":
			return location.trim();
	}
}

/**
 * Returns the export to compare the server with, which can be a file that is not uploaded yet; `null` while a path is
 * being typed.
 */
export function exportLocation({ kind, dropped }: Values, location: string, typed: string): ExportLocation | null {
	if (location === "") return kind === "here" && dropped ? { kind, path: dropped.file.path } : null;
	if (kind !== "path") return { kind: "upload", id: location };
	return typed === location ? { kind: "path", path: location } : null;
}

interface FileChoiceProps {
	site: SiteView;
	form: UseFormReturnType<Values>;
	ref: Ref<HTMLDivElement>;
}

/** Selects the file: a stored upload, a file of this computer, or a path on the server. */
export function FileChoice({ site, form, ref }: FileChoiceProps) {
	const { t } = useTranslation("importServer");
	const { kind } = form.values;
	return (
		<Stack ref={ref} gap="sm">
			<Choice
				fullWidth
				aria-label={t("step.file")}
				data={places.map((value) => ({ value, label: t(value) }))}
				{...form.getInputProps("kind")}
			/>
			{kind === "stored" ? <StoredFile site={site} input={form.getInputProps("stored")} /> : null}
			{kind === "here" ? (
				<>
					<Upload site={site} file={form.values} onFile={form.setValues} />
					<LookInto target={serverOf(site)} file={{ kind: "choose" }} />
				</>
			) : null}
			{kind === "path" ? <TextInput {...labelled(t, "location")} {...form.getInputProps("location")} /> : null}
		</Stack>
	);
}

interface StoredFileProps {
	site: SiteView;
	/** Props of the field with the ID of the selected upload. */
	input: GetInputPropsReturnType;
}

/** Selects a stored upload, newest first, or deletes it. */
function StoredFile({ site, input }: StoredFileProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const deletion = useDeleteStored(site);
	const { data, variables } = deletion;
	return (
		<Stack gap="xs">
			<ProblemNotice problem={deletion.error} />
			{data !== undefined && variables ? (
				<Outcome outcome="succeeded" title={t("remove.done", { name: variables.upload.name, site: target })} />
			) : null}
			<StoredChoice site={site} input={input} deletion={deletion} />
		</Stack>
	);
}

function StoredChoice({ site, input, deletion }: StoredFileProps & { deletion: ReturnType<typeof useDeleteStored> }) {
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

interface Deletion {
	upload: ServerUpload;
	typed: string;
	reason: string;
}

/** Deletes stored uploads. The result is shown above the list, which might be empty afterwards. */
function useDeleteStored(site: SiteView) {
	return useCommand(
		(backend, { upload, typed, reason }: Deletion) => backend.deleteUpload(serverOf(site), upload.id, typed, reason),
		["deleteUpload", serverOf(site)],
	);
}

interface DeleteStoredProps {
	site: SiteView;
	/** Selected file; `null` for none. */
	upload: ServerUpload | null;
	deletion: UseMutationResult<null, Problem, Deletion>;
}

/** Button that deletes the selected file from the server after a confirmation. */
function DeleteStored({ site, upload, deletion }: DeleteStoredProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	return (
		<>
			<Tooltip label={t("remove.open")}>
				<ActionIcon
					size={36}
					variant="default"
					aria-label={t("remove.open")}
					disabled={upload === null || readOnly}
					loading={deletion.isPending}
					onClick={open}
				>
					<IconTrash size={16} aria-hidden />
				</ActionIcon>
			</Tooltip>
			{upload && !readOnly ? (
				<ConfirmDialog
					opened={asking}
					onClose={close}
					title={t("remove.title", { name: upload.name, site: target })}
					site={site}
					confirm={t("remove.confirm")}
					irreversible
					toType={toTypeForImport(site, site.currentServer)}
					onConfirm={(typed, reason) => deletion.mutate({ upload, typed, reason })}
				>
					<Text>{t("remove.body")}</Text>
					{asking ? <BackedUp site={site} upload={upload} /> : null}
				</ConfirmDialog>
			) : null}
		</>
	);
}

/** Warning that an import can no longer be undone without the file. */
function BackedUp({ site, upload }: { site: SiteView; upload: ServerUpload }) {
	const { t } = useTranslation("importServer");
	const ofImport = useBackedUp(site.id, "import_server", upload.id);
	if (!ofImport) return null;
	return <Text fw={600}>{t("remove.backup", { at: formatTime(ofImport.startedAt) })}</Text>;
}
