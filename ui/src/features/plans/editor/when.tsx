import { Checkbox, Chip, Group, Input, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Day, NextRuns, SiteView } from "@/bridge";
import { Section } from "@/components/page";
import { Small } from "@/components/text";
import {
	formatClockTime,
	formatDay,
	formatRun,
	formatTimeOfDay,
	formatWeekdayName,
	weekFromItsFirstDay,
} from "@/lib/format";
import { useNextRuns } from "@/lib/queries/plans";
import { labelled } from "@/lib/use-form-faults";
import { joined } from "@/messages/isolated";
import { days, type PlanFormHandle, scheduleOf } from "./values";

/** Form group: the schedule, with its next runs. */
export function When({ site, form }: { site: SiteView; form: PlanFormHandle }) {
	const { t } = useTranslation("plans");
	const next = useNextRuns(scheduleOf(form.values)).data;
	return (
		<Section title={t("edit.when")}>
			<Input.Wrapper label={t("edit.days")} error={form.errors.days} labelElement="div">
				<Group gap={4} role="group" aria-label={t("edit.days")} data-path="days" tabIndex={-1}>
					<Chip.Group
						multiple
						value={form.values.days}
						onChange={(chosen) => form.setFieldValue("days", chosen as Day[])}
					>
						{weekFromItsFirstDay().map((place) => (
							<Chip key={days[place]} value={days[place] as Day} size="xs" radius="sm">
								{formatWeekdayName(place)}
							</Chip>
						))}
					</Chip.Group>
				</Group>
			</Input.Wrapper>
			<TextInput {...labelled(t, "edit.times")} spellCheck={false} maw={400} {...form.getInputProps("times")} />
			<Checkbox label={t("edit.catchUp")} {...form.getInputProps("catchUp", { type: "checkbox" })} />
			{site.environment === "practice" ? <Text c="dimmed">{t("practice")}</Text> : next ? <Next next={next} /> : null}
		</Section>
	);
}

function Next({ next: { runs, moved } }: { next: NextRuns }) {
	const { t } = useTranslation("plans");
	if (runs.length === 0) return <Text c="dimmed">{t("edit.never")}</Text>;
	return (
		<div role="status">
			<Text>{t("edit.next", { runs: joined(runs.map(formatRun), " · ") })}</Text>
			{moved === null ? null : (
				<Small>
					{t("edit.moved", {
						day: formatDay(moved.at),
						time: formatClockTime(moved.time),
						at: formatTimeOfDay(moved.at),
					})}
				</Small>
			)}
		</div>
	);
}
