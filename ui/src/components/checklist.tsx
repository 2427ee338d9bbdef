import { Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { useChecklist } from "@/lib/queries/checklist";
import { ProblemNotice } from "./problem-notice";

interface ChecklistProps {
	/** The record that the checked items are kept with. `null`: they are not kept. */
	record: RecordId | null;
	title: string;
	/** One line below the title. */
	note?: string;
	items: readonly { id: string; label: string; hint?: string }[];
}

/** Things to do by hand after an operation, which can be marked as done. */
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
				<Text c="dimmed" role="status" style={{ flex: "none" }}>
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
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Stack>
	);
}
