import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Expiry, ExpiryGap, SiteView } from "@/bridge";
import { boardClasses as classes } from "@/components/board";
import { OutcomeIcon } from "@/components/outcome";
import { useExpiryText } from "@/lib/expiry-text";
import { formatList, formatNumber } from "@/lib/format";
import { hostAndPathOf } from "@/lib/hosts";
import { useNavigation } from "@/lib/navigation";
import { useSignInRequest } from "@/lib/sign-in-request";
import { serverName, signInAt } from "@/lib/target-name";
import { joined } from "@/messages/isolated";

/** Rows that are shown at first. */
const first = 6;

/** Days before which a row has the icon of a warning. */
const near = 14;

interface ExpiresSoonProps {
	/** What expires, in the order in which it does, each with its site. */
	rows: readonly { site: SiteView; expiry: Expiry }[];
	/** Whether the rows are of several sites, and name theirs. */
	namesSites?: boolean;
	/** What is not known, as sentences. */
	unknown: readonly string[];
}

/** What expires within 60 days, and what is not known of it. */
export function ExpiresSoon({ rows, namesSites = false, unknown }: ExpiresSoonProps) {
	const { t } = useTranslation("sites");
	const [isWhole, setWhole] = useState(false);
	const id = useId();
	const shown = isWhole ? rows : rows.slice(0, first);
	// With one thing to say, one line leaves the room to what follows.
	if (rows.length === 0 && unknown.length <= 1) {
		return (
			<Text component="section" aria-label={t("expires.title")} c="dimmed">
				{unknown[0] ?? t("expires.none")}
			</Text>
		);
	}
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<Group justify="space-between">
				<Title order={2} size="h3" id={id}>
					{t("expires.title")}
				</Title>
				<Text size="xs" c="dimmed">
					{t("expires.within")}
				</Text>
			</Group>
			{rows.length === 0 ? null : (
				<Paper withBorder component="ul" className={classes.rows ?? ""} aria-labelledby={id}>
					{shown.map(({ site, expiry }) => (
						<Row
							key={`${site.id} ${expiry.server} ${expiry.at} ${JSON.stringify(expiry.what)}`}
							site={site}
							expiry={expiry}
							namesSite={namesSites}
						/>
					))}
				</Paper>
			)}
			{shown.length < rows.length ? (
				<Group>
					<Button onClick={() => setWhole(true)}>
						{t("attention.all", { count: rows.length, formatted: formatNumber(rows.length) })}
					</Button>
				</Group>
			) : null}
			{unknown.map((sentence) => (
				<Text key={sentence} size="xs" c="dimmed">
					{sentence}
				</Text>
			))}
		</Stack>
	);
}

function Row({ site, expiry, namesSite }: { site: SiteView; expiry: Expiry; namesSite: boolean }) {
	const { go } = useNavigation();
	const askToSignIn = useSignInRequest();
	const text = useExpiryText()(site, expiry);
	return (
		<li className={classes.row}>
			{expiry.isOver || expiry.days <= near ? (
				<OutcomeIcon outcome={expiry.isOver ? "failed" : "warnings"} />
			) : (
				<IconInfoCircle size={16} color="var(--mantine-color-dimmed)" aria-hidden />
			)}
			<div className={classes.words}>
				<Text fw={600}>{text.title}</Text>
				<Text size="xs" c="dimmed">
					{joined([namesSite ? site.name : "", text.when, text.away, text.stops].filter(Boolean), "\u00a0· ")}
				</Text>
			</div>
			<Button
				flex="none"
				aria-label={`${text.act}: ${text.title}`}
				onClick={() => (text.to ? go(text.to) : askToSignIn(site.id, signInAt(site, expiry.server)))}
			>
				{text.act}
			</Button>
		</li>
	);
}

/** What is not known of what expires on a site, as a sentence for each reason of a portal or server. */
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
