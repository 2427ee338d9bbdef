import { Button, Group, Mark, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { Compared, DifferenceView, FieldView, Kind, SiteView } from "@/bridge";
import { FactCell } from "@/components/board";
import { noValue, type Titles } from "@/components/difference-row";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { SubmitForm } from "@/components/submit-form";
import { Exact, LinkButton, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { useFormFaults } from "@/lib/drafts";
import { formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";
import { useComparedFields } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";

interface HistoryCellsProps {
	difference: DifferenceView;
	titles: Titles;
	isHistoryKnown: boolean;
}

/** Cells that say since when a resource differs and, of one site, who changed it if the app did. */
export function HistoryCells({ difference, titles, isHistoryKnown }: HistoryCellsProps) {
	return (
		<>
			<Seen difference={difference} titles={titles} />
			{titles.sides === null ? <By difference={difference} isHistoryKnown={isHistoryKnown} /> : null}
		</>
	);
}

/**
 * Time of the first snapshot with the current value; between two sites, of the last change, and on which site it was.
 */
function Seen({
	difference: { firstSeen, isSeenLeft },
	titles: { sides },
}: Pick<HistoryCellsProps, "difference" | "titles">) {
	const { t } = useTranslation("changes");
	const head = t(sides === null ? "firstSeen" : "lastChanged");
	const where = sides === null ? null : isSeenLeft ? sides.left : sides.right;
	return (
		<FactCell
			head={head}
			dimmed={firstSeen === null}
			below={firstSeen === null ? null : where}
			fact={
				firstSeen === null ? t("notKnown") : <Exact at={firstSeen} words={formatTime(firstSeen)} hasOwnFocus={false} />
			}
		/>
	);
}

function By({ difference: { by }, isHistoryKnown }: Pick<HistoryCellsProps, "difference" | "isHistoryKnown">) {
	const { t } = useTranslation("changes");
	const nameOf = useHistoryName();
	const head = t("by");
	if (by) {
		return (
			<FactCell
				head={head}
				below={[formatTime(by.at), by.username].filter(Boolean).join(", ")}
				fact={nameOf(by.operation)}
			/>
		);
	}
	return isHistoryKnown ? (
		<FactCell head={head} below={t("userNotReported")} fact={t("notByApp")} />
	) : (
		<FactCell head={head} dimmed fact={t("notKnown")} />
	);
}

interface DifferenceDetailsProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	difference: DifferenceView;
}

/** Fields side by side, and the acceptance with a reason. */
export function DifferenceDetails({ site, compared, titles, difference }: DifferenceDetailsProps) {
	const { t } = useTranslation("changes");
	const { go } = useNavigation();
	const { key, change, by } = difference;
	const fields = useComparedFields(compared, key);
	const page = pageOf(site, compared, difference);
	const open = useCommand((backend, address: string) => backend.openLink(site.id, address));
	return (
		<Stack gap="xs">
			{fields.isLoading ? <LoadingRows height={32} /> : null}
			<ProblemNotice problem={fields.error} />
			{fields.data && change === "differs" ? (
				<Table aria-label={t("fieldsOf", { name: key.name })}>
					<Heads of={[t("field"), titles.from, titles.to]} />
					<Table.Tbody>
						{fields.data.map((field) => (
							// A text and the secret in it are two differences of one field.
							<FieldRow key={`${field.field} ${field.isSecret}`} field={field} />
						))}
					</Table.Tbody>
				</Table>
			) : null}
			<Group gap="xs" justify="space-between">
				<Acceptance site={site} compared={compared} difference={difference} />
				<Group gap="md">
					{by ? (
						<LinkButton onClick={() => go({ page: "history", record: by.record })}>{t("showEntry")}</LinkButton>
					) : null}
					{page ? <LinkButton onClick={() => open.mutate(page)}>{t("showOnServer")}</LinkButton> : null}
				</Group>
			</Group>
			{open.error ? <ProblemNotice problem={open.error} /> : null}
		</Stack>
	);
}

/** Folders of the administration pages of a server that have a page for each resource. */
const folders: Partial<Record<Kind, string>> = {
	services: "services/",
	dataStoreItems: "data/items",
	machines: "machines/",
};

/** Returns the page of the server about a resource; `null` if there is none, or the resource is not there any more. */
function pageOf(site: SiteView, compared: Compared, { key, change }: DifferenceView): string | null {
	const folder = folders[key.kind];
	const server = site.servers.find(({ id }) => id === key.place);
	if (compared.kind === "between" || change === "missing" || !folder || !server) return null;
	const name = key.name.split("/").map(encodeURIComponent).join("/");
	return `${server.address.replace(/\/+$/, "")}/admin/${folder}${name}`;
}

function FieldRow({ field }: { field: FieldView }) {
	const { t } = useTranslation("changes");
	const value = (text: string | null) => (text ? <Mark>{text}</Mark> : <Text c="dimmed">{noValue(t, field)}</Text>);
	return (
		<Table.Tr>
			<Table.Td mod="anywhere">{field.field}</Table.Td>
			{field.isSecret ? (
				<Table.Td colSpan={2}>{t("secret")}</Table.Td>
			) : (
				<>
					<Table.Td mod="anywhere">{value(field.before)}</Table.Td>
					<Table.Td mod="anywhere">{value(field.after)}</Table.Td>
				</>
			)}
		</Table.Tr>
	);
}

/** Accepts a difference with a reason, or withdraws the acceptance. */
function Acceptance({ site, compared, difference: { key, accepted } }: Omit<DifferenceDetailsProps, "titles">) {
	const { t } = useTranslation("changes");
	const form = useForm({ initialValues: { reason: "" } });
	const accept = useCommand(
		(backend, reason: string | null) => backend.acceptDifference(compared, key, reason),
		["acceptDifference", site.id],
	);
	const refused = useFormFaults(accept.error, form);
	if (accepted) {
		return (
			<Stack gap={4}>
				<Text>{t("acceptedBy", { reason: accepted.reason, at: formatTime(accepted.at), who: accepted.who })}</Text>
				<Button loading={accept.isPending} onClick={() => accept.mutate(null)} w="fit-content">
					{t("withdraw")}
				</Button>
				<ProblemNotice problem={refused} />
			</Stack>
		);
	}
	return (
		<SubmitForm onSubmit={form.onSubmit(({ reason }) => accept.mutate(reason))}>
			<Group gap="xs" align="flex-start">
				<TextInput
					size="xs"
					w={320}
					aria-label={t("reason", { name: key.name })}
					placeholder={t("reasonHint")}
					spellCheck
					autoComplete="off"
					{...form.getInputProps("reason")}
				/>
				<Button type="submit" loading={accept.isPending}>
					{t("accept")}
				</Button>
				<Small py={6}>{t("untilItChanges")}</Small>
			</Group>
			<ProblemNotice problem={refused} />
		</SubmitForm>
	);
}
