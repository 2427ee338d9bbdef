import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Concern, SiteOverview, SiteView } from "@/bridge";
import { FirstRows, Row } from "@/components/board";
import { ConcernButton } from "@/components/concern-button";
import { OutcomeIcon } from "@/components/outcome";
import { Section } from "@/components/page";
import { useConcernText } from "@/lib/concern-text";

/** Concerns of a site, the worst first, each with one button. */
export function NeedsAttention({
	site,
	overview: { concerns, isChecked },
}: {
	site: SiteView;
	overview: SiteOverview;
}) {
	const { t } = useTranslation("sites");
	const title = t("attention.title");
	// The card of the whole site is below.
	const shown = concerns.filter(({ about }) => about.kind !== "wholeSite");
	// Without concerns, a single sentence is shown without heading, to save space.
	if (shown.length === 0) {
		return concerns.length > 0 ? null : (
			<Text component="section" aria-label={title} c="dimmed">
				{t(isChecked ? "attention.none" : "attention.noneUnchecked")}
			</Text>
		);
	}
	return (
		<Section title={title}>
			<FirstRows label={title} rows={shown}>
				{(concern) => <ConcernRow key={keyOf(concern)} site={site} concern={concern} />}
			</FirstRows>
		</Section>
	);
}

function ConcernRow({ site, concern }: { site: SiteView; concern: Concern }) {
	const text = useConcernText()(site, concern);
	return (
		<Row icon={<OutcomeIcon outcome={concern.tone} />} title={<Text fw={600}>{text.title}</Text>} below={text.detail}>
			<ConcernButton site={site} concern={concern} text={text} />
		</Row>
	);
}

function keyOf({ about, server, at }: Concern): string {
	return about.kind === "record"
		? about.entry.id
		: `${about.kind} ${server} ${at} ${"guest" in about ? about.guest : ""}`;
}
