import { Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Expiry, ExpiryGap, SiteView } from "@/bridge";
import { FirstRows, Row } from "@/components/board";
import { OutcomeIcon } from "@/components/outcome";
import { Section } from "@/components/page";
import { LinkButton, Small } from "@/components/text";
import { useExpiryText } from "@/lib/concern-text";
import { formatList, hostAndPathOf } from "@/lib/format";
import { useNavigation, useSignInRequest } from "@/lib/navigation";
import { serverName, signInAt } from "@/lib/target";
import { dotted } from "@/messages/isolated";

/** Number of remaining days up to which a row has a warning icon. */
const nearDays = 14;

interface ExpiresSoonProps {
	/** Expirations of one or several sites, the next one first. */
	rows: readonly { site: SiteView; expiry: Expiry }[];
	/** Whether each row shows its site, because there are several. */
	namesSites?: boolean;
	/** Sentences about expirations that could not be determined. */
	unknown: readonly string[];
}

/** Expirations within 60 days, and those that could not be determined. */
export function ExpiresSoon({ rows, namesSites = false, unknown }: ExpiresSoonProps) {
	const { t } = useTranslation("sites");
	const title = t("expires.title");
	// A single sentence is shown without heading, to save space.
	if (rows.length === 0 && unknown.length <= 1) {
		return (
			<Text component="section" aria-label={title} c="dimmed">
				{unknown[0] ?? t("expires.none")}
			</Text>
		);
	}
	return (
		<Section title={title} beside={<Small>{t("expires.within")}</Small>}>
			{rows.length === 0 ? null : (
				<FirstRows label={title} rows={rows}>
					{({ site, expiry }) => (
						<ExpiryRow
							key={`${site.id} ${expiry.server} ${expiry.at} ${JSON.stringify(expiry.what)}`}
							site={site}
							expiry={expiry}
							namesSite={namesSites}
						/>
					)}
				</FirstRows>
			)}
			{unknown.map((sentence) => (
				<Small key={sentence}>{sentence}</Small>
			))}
		</Section>
	);
}

function ExpiryRow({ site, expiry, namesSite }: { site: SiteView; expiry: Expiry; namesSite: boolean }) {
	const { go } = useNavigation();
	const askToSignIn = useSignInRequest();
	const text = useExpiryText()(site, expiry);
	return (
		<Row
			icon={
				expiry.isOver || expiry.days <= nearDays ? (
					<OutcomeIcon outcome={expiry.isOver ? "failed" : "warnings"} />
				) : (
					<IconInfoCircle size={16} color="var(--mantine-color-dimmed)" aria-hidden />
				)
			}
			title={<Text>{text.title}</Text>}
			below={
				<>
					{dotted(namesSite ? site.name : null, text.when, text.away)}
					<br />
					{text.stops}
				</>
			}
		>
			<LinkButton
				flex="none"
				aria-label={`${text.act}: ${text.title}`}
				onClick={() => (text.to ? go(text.to) : askToSignIn(site.id, signInAt(site, expiry.server)))}
			>
				{text.act}
			</LinkButton>
		</Row>
	);
}

/** Returns a function that explains which expirations of a site are unknown, in one sentence for each reason. */
export function useExpiryGaps(): (site: SiteView, gaps: readonly ExpiryGap[]) => string[] {
	const { t } = useTranslation("sites");
	return (site, gaps) => {
		if (gaps.length > 0 && gaps.every(({ why }) => why.kind === "notChecked")) return [t("expires.notChecked")];
		const together = new Map<string, ExpiryGap[]>();
		for (const gap of gaps) {
			const key = JSON.stringify([gap.server, gap.why]);
			together.set(key, [...(together.get(key) ?? []), gap]);
		}
		return [...together.values()].flatMap((same) => {
			const gap = same[0];
			if (!gap) return [];
			const { server, why } = gap;
			const of = server === null ? hostAndPathOf(site.portal ?? "") || site.name : serverName(site, server);
			const parts = formatList(same.map(({ part }) => t(`expires.part.${part}`)));
			if (why.kind !== "failed") return [t(`expires.gap.${why.kind}`, { of, parts })];
			return [t(why.reason ? "expires.gap.failedBecause" : "expires.gap.failed", { of, parts, why: why.reason })];
		});
	};
}
