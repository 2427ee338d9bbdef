import { Button, Group, Mark, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { Compared, DifferenceView, FieldView, SiteView } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { SubmitForm } from "@/components/submit-form";
import { LinkButton, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useComparedFields } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";
import { useFormFaults } from "@/lib/use-form-faults";
import { noValue, type Titles } from "./difference-row";

interface OpenedDifferenceProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	difference: DifferenceView;
}

/** Fields side by side, and the acceptance with a reason. */
export function OpenedDifference({ site, compared, titles, difference }: OpenedDifferenceProps) {
	const { t } = useTranslation("changes");
	const { go } = useNavigation();
	const { key, change, by } = difference;
	const fields = useComparedFields(compared, key);
	return (
		<Stack gap="xs">
			{fields.isLoading ? <LoadingRows height={32} /> : null}
			{fields.error ? <ProblemNotice problem={fields.error} /> : null}
			{fields.data && change === "differs" ? (
				<Table aria-label={t("fieldsOf", { name: key.name })}>
					<Heads of={[t("field"), titles.from, titles.to]} />
					<Table.Tbody>
						{fields.data.map((field) => (
							<FieldRow key={field.field} field={field} />
						))}
					</Table.Tbody>
				</Table>
			) : null}
			<Group gap="xs" justify="space-between">
				<Acceptance site={site} compared={compared} difference={difference} />
				{by ? (
					<LinkButton onClick={() => go({ page: "history", record: by.record })}>{t("showEntry")}</LinkButton>
				) : null}
			</Group>
		</Stack>
	);
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

/** Accepts a difference with a reason, or withdraws that. */
function Acceptance({ site, compared, difference: { key, accepted } }: Omit<OpenedDifferenceProps, "titles">) {
	const { t } = useTranslation("changes");
	const form = useForm({ initialValues: { reason: "" } });
	const accept = useCommand(
		(backend, reason: string | null) => backend.acceptDifference(compared, key, reason),
		(stale) => stale("acceptDifference", site.id),
	);
	const refused = useFormFaults(accept.error, form);
	if (accepted) {
		return (
			<Stack gap={4}>
				<Text>{t("acceptedBy", { reason: accepted.reason, at: formatTime(accepted.at), who: accepted.who })}</Text>
				<Button loading={accept.isPending} onClick={() => accept.mutate(null)} style={{ alignSelf: "flex-start" }}>
					{t("withdraw")}
				</Button>
				{refused ? <ProblemNotice problem={refused} /> : null}
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
					autoComplete="off"
					{...form.getInputProps("reason")}
				/>
				<Button type="submit" loading={accept.isPending}>
					{t("accept")}
				</Button>
				<Small py={6}>{t("untilItChanges")}</Small>
			</Group>
			{refused ? <ProblemNotice problem={refused} /> : null}
		</SubmitForm>
	);
}
