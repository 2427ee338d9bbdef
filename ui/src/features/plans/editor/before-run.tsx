import { Paper, Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { boardClasses as classes } from "@/components/board";
import { OutcomeIcon } from "@/components/outcome";

/** What has to be so before a plan can run without a person, each line green or with what to do. */
export function BeforeRun() {
	const { t } = useTranslation("plans");
	const id = useId();
	return (
		<Stack gap={8} component="section" aria-labelledby={id}>
			<Title order={2} size="h3" id={id}>
				{t("edit.before")}
			</Title>
			<Paper withBorder component="ul" className={classes.rows ?? ""} aria-labelledby={id}>
				<Line title={t("edit.runsWhile")} below={t("edit.runsWhileBelow")} />
				<Line title={t("edit.onlyExports")} below={t("edit.onlyExportsBelow")} />
			</Paper>
		</Stack>
	);
}

function Line({ title, below }: { title: string; below: string }) {
	return (
		<li className={classes.row}>
			<OutcomeIcon outcome="succeeded" />
			<div className={classes.words}>
				<Text>{title}</Text>
				<Text size="xs" c="dimmed">
					{below}
				</Text>
			</div>
		</li>
	);
}
