import { Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { useChecklist } from "@/lib/queries/changes";
import { ProblemNotice } from "./notice";

interface ChecklistProps {
	/** History entry that stores the marks; `null` if they are not stored. */
	record: RecordId | null;
	title: string;
	note?: string;
	items: readonly { id: string; label: string; hint?: string }[];
}

/** Tasks after an operation, which the user marks as done. */
export function Checklist({ record, title, note, items }: ChecklistProps) {
	const { t } = useTranslation("run");
	const { done, set, problem } = useChecklist(record);
	const id = useId();
	const count = items.filter((item) => done.has(item.id)).length;
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<Group justify="space-between" align="baseline" gap="md" wrap="nowrap">
				<Title order={2} size="h5" id={id}>
					{title}
				</Title>
				<Text c="dimmed" role="status" flex="none">
					{t("checklist.count", { done: count, total: items.length })}
				</Text>
			</Group>
			{note ? <Text>{note}</Text> : null}
			{items.map((item) => (
				<Checkbox
					key={item.id}
					label={item.label}
					description={item.hint}
					checked={done.has(item.id)}
					onChange={(event) => set(item.id, event.currentTarget.checked)}
				/>
			))}
			{record === null ? <Text c="dimmed">{t("checklist.notKept")}</Text> : null}
			<ProblemNotice problem={problem} />
		</Stack>
	);
}
