import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Concern, SiteOverview, SiteView } from "@/bridge";
import { boardClasses as classes } from "@/components/board";
import { ConcernButton } from "@/components/concern-button";
import { OutcomeIcon } from "@/components/outcome";
import { useConcernText } from "@/lib/concern-text";
import { formatNumber } from "@/lib/format";

/** Rows shown at first. */
const rowsAtFirst = 6;

/** Concerns of a site, the worst first, each with one button. */
export function NeedsAttention({ site, overview }: { site: SiteView; overview: SiteOverview }) {
	const { t } = useTranslation("sites");
	const [isWhole, setWhole] = useState(false);
	const id = useId();
	// Its card is below.
	const concerns = overview.concerns.filter(({ about }) => about.kind !== "wholeSite");
	const { isChecked } = overview;
	const rows = isWhole ? concerns : concerns.slice(0, rowsAtFirst);
	// With nothing to say, one line leaves the room to what follows.
	if (concerns.length === 0) {
		return concerns.length < overview.concerns.length ? null : (
			<Text component="section" aria-label={t("attention.title")} c="dimmed">
				{t(isChecked ? "attention.none" : "attention.noneUnchecked")}
			</Text>
		);
	}
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<Title order={2} size="h3" id={id}>
				{t("attention.title")}
			</Title>
			<Paper withBorder component="ul" className={classes.rows ?? ""} aria-labelledby={id}>
				{rows.map((concern) => (
					<Row key={keyOf(concern)} site={site} concern={concern} />
				))}
			</Paper>
			{rows.length < concerns.length ? (
				<Group>
					<Button onClick={() => setWhole(true)}>
						{t("attention.all", { count: concerns.length, formatted: formatNumber(concerns.length) })}
					</Button>
				</Group>
			) : null}
		</Stack>
	);
}

function Row({ site, concern }: { site: SiteView; concern: Concern }) {
	const text = useConcernText()(site, concern);
	return (
		<li className={classes.row}>
			<OutcomeIcon outcome={concern.tone} />
			<div className={classes.words}>
				<Text fw={600}>{text.title}</Text>
				<Text size="xs" c="dimmed">
					{text.detail}
				</Text>
			</div>
			<ConcernButton site={site} concern={concern} text={text} />
		</li>
	);
}

function keyOf({ about, server, at }: Concern): string {
	return about.kind === "record"
		? about.entry.id
		: `${about.kind} ${server} ${at} ${"guest" in about ? about.guest : ""}`;
}
