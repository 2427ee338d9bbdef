import { Button, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { IconArrowsDiff, IconCamera, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Compared, RecordId, ReportFormat, SiteView, VolatileView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { SaveMenu } from "@/components/menu";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { EmptyState, HelpLink, Page } from "@/components/page";
import { SaveStatus } from "@/components/saved-file";
import { IconButton, Small } from "@/components/text";
import { formatList, formatTime } from "@/lib/format";
import { useSnapshots } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";
import { useBetween, useImport, useSince } from "./choices";
import { Comparison } from "./comparison";

const modes = ["since", "between", "import"] as const;
type Mode = (typeof modes)[number];

interface ChangesPageProps {
	site: SiteView;
	/** Entry of an import whose changes are shown at first. */
	imported?: RecordId | undefined;
}

/** Page about the differences between two snapshots: of a site at two times, or of two sites or servers. */
export function ChangesPage({ site, imported }: ChangesPageProps) {
	const { t } = useTranslation("changes");
	const all = useSnapshots(site.id);
	const [mode, show] = useState<Mode>(imported === undefined ? "since" : "import");
	const choices = {
		since: useSince(site, all.data?.snapshots ?? []),
		between: useBetween(site),
		import: useImport(site, all.data?.snapshots ?? [], imported),
	};
	const choice = choices[mode];
	const take = useCommand((backend) => backend.takeSnapshot(site.id), ["takeSnapshot", site.id]);
	const stop = useCommand((backend) => backend.stopSnapshot(site.id), ["stopSnapshot", site.id]);
	const save = useSaveChanges(choice?.compared);
	const isTaking = take.isPending || (all.data?.isTaking ?? false);
	const [last] = all.data?.snapshots ?? [];
	const hasOne = all.data?.snapshots.some(({ failure }) => failure === "") ?? false;
	const empty = { since: hasOne ? "one" : "none", between: "noOther", import: "noImport" } as const;
	const keepEarlier = choice?.keepEarlier;
	const takeAgain = keepEarlier ? (
		<IconButton
			label={t("takeAgain")}
			icon={IconRefresh}
			loading={isTaking}
			onClick={() => {
				keepEarlier();
				take.mutate();
			}}
		/>
	) : null;
	const modeField = (
		<SegmentedControl
			size="xs"
			aria-label={t("mode.label")}
			data={modes.map((one) => ({ value: one, label: t(`mode.${one}`) }))}
			value={mode}
			onChange={(one) => show(one as Mode)}
		/>
	);
	return (
		<Page
			title={t("title")}
			description={t("description")}
			width="wide"
			actions={
				<>
					<IconButton label={t("take")} icon={IconCamera} loading={isTaking} onClick={() => take.mutate()} />
					{isTaking ? <Button onClick={() => stop.mutate()}>{t("stop")}</Button> : null}
					{save.menu}
					<HelpLink topic="changes" about={t("title")} />
				</>
			}
		>
			{save.news}
			<ProblemNotice problem={take.error} site={site} />
			<ProblemNotice problem={stop.error} />
			<ProblemNotice problem={all.error} onRetry={() => void all.refetch()} />
			{last && last.failure !== "" ? (
				<Notice text={last.failure} tone="warnings" title={t("notTaken", { at: formatTime(last.at) })} />
			) : null}
			{all.isLoading ? <LoadingRows height={48} /> : null}
			{all.data ? <MissingSnapshots at={all.data.missing} /> : null}
			{all.data && choice === null ? (
				<>
					<div>{modeField}</div>
					<EmptyState icon={IconArrowsDiff} title={t(`${empty[mode]}.title`)}>
						{t(`${empty[mode]}.body`)}
					</EmptyState>
				</>
			) : null}
			{all.data && choice ? (
				<>
					<Comparison
						site={site}
						compared={choice.compared}
						titles={choice.titles}
						takeAgain={takeAgain}
						choice={
							<>
								{modeField}
								{choice.fields}
							</>
						}
					/>
					<VolatileFields site={site} fields={all.data.volatile} />
				</>
			) : null}
		</Page>
	);
}

/** Times of snapshots that the audit trail records but that are no longer stored. */
function MissingSnapshots({ at }: { at: readonly number[] }) {
	const { t } = useTranslation("changes", { keyPrefix: "missing" });
	if (at.length === 0) return null;
	return (
		<Foldable title={t("title", { count: at.length })}>
			<Stack gap="xs">
				<Text>{t("body")}</Text>
				<Text>{formatList(at.map(formatTime))}</Text>
			</Stack>
		</Foldable>
	);
}

const formats: readonly ReportFormat[] = ["html", "csv", "json"];

/** Menu that saves a comparison in the system's file dialog; `null` if nothing is compared. `news` shows the result. */
export function useSaveChanges(compared: Compared | undefined) {
	const { t } = useTranslation(["changes", "run"]);
	const save = useCommand(
		async (backend, format: ReportFormat) => compared && backend.saveChanges(compared, format),
		["saveChanges"],
	);
	const menu = compared ? (
		<SaveMenu label={t("save")} formats={formats} nameOf={(format) => t(`formats.${format}`)} save={save} />
	) : null;
	const news = <SaveStatus save={save} label={t("run:saving.path")} dismissed={t("run:saving.tableDismissed")} />;
	return { menu, news };
}

/** Volatile fields, which change by themselves. They are compared only if the user chooses so. */
function VolatileFields({ site, fields }: { site: SiteView; fields: readonly VolatileView[] }) {
	const { t } = useTranslation("changes", { keyPrefix: "volatile" });
	const apart = fields.filter(({ isCompared }) => !isCompared).length;
	const change = useCommand(
		(backend, { resourceKind, field, isCompared }: VolatileView) =>
			backend.setFieldCompared(site.id, resourceKind, field, !isCompared),
		["setFieldCompared", site.id],
	);
	if (fields.length === 0) return null;
	return (
		<Foldable title={t("title", { count: apart })}>
			<Stack gap="xs">
				<Small>{t("hint")}</Small>
				<Table aria-label={t("label")}>
					<Table.Tbody>
						{fields.map((field) => (
							<Field
								key={`${field.resourceKind} ${field.field}`}
								field={field}
								busy={change.isPending}
								onChange={() => change.mutate(field)}
							/>
						))}
					</Table.Tbody>
				</Table>
				<ProblemNotice problem={change.error} />
			</Stack>
		</Foldable>
	);
}

interface FieldProps {
	field: VolatileView;
	busy: boolean;
	onChange: () => void;
}

function Field({ field: { resourceKind, field, learnedAt, isCompared }, busy, onChange }: FieldProps) {
	const { t } = useTranslation(["changes", "common"]);
	return (
		<Table.Tr>
			<Table.Td>{t(`common:changesFile.kinds.${resourceKind}`)}</Table.Td>
			<Table.Td mod="anywhere">{field}</Table.Td>
			<Table.Td>{t("volatile.learned", { at: formatTime(learnedAt) })}</Table.Td>
			<Table.Td>
				<Button
					disabled={busy}
					onClick={onChange}
					aria-label={t(isCompared ? "volatile.apartLabel" : "volatile.compareLabel", { field })}
				>
					{t(isCompared ? "volatile.apart" : "volatile.compare")}
				</Button>
			</Table.Td>
		</Table.Tr>
	);
}
