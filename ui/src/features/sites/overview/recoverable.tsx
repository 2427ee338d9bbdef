import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Recoverability, RecoverablePart, Rehearsal, SiteView } from "@/bridge";
import { boardClasses as classes, Rows } from "@/components/board";
import { OutcomeIcon, type OutcomeName } from "@/components/outcome";
import { Section } from "@/components/page";
import { LinkButton, Small } from "@/components/text";
import { useExportAge } from "@/lib/export-age";
import { formatDate, formatUpTo } from "@/lib/format";
import { type Place, useNavigation } from "@/lib/navigation";
import { useDataRest, useDataText, usePartText, usePlacesText, useRehearsedText } from "@/lib/recoverable-text";
import { dotted } from "@/messages/isolated";
import own from "./recoverable.module.css";

/** Time to which a site is recoverable, with the exports and backups that determine it. */
export function Recoverable({ site, recoverable }: { site: SiteView; recoverable: Recoverability }) {
	const { t } = useTranslation("sites");
	const restOf = useDataRest();
	const { to } = recoverable;
	const rest = to.kind === "time" ? restOf(recoverable) : "";
	const title = {
		time: () => t("recoverable.to", { at: to.kind === "time" ? formatUpTo(to.at) : "" }),
		notKnown: () => t("recoverable.notKnown"),
		no: () => t("recoverable.not"),
		notOffered: () => t("recoverable.title"),
	}[to.kind]();
	return (
		<Section
			title={
				<>
					{title}
					{rest === "" ? null : <span className={own.rest}>{`, ${rest}`}</span>}
				</>
			}
		>
			{to.kind === "notOffered" ? (
				<Text c="dimmed">{t("board.noExports")}</Text>
			) : (
				<Rows label={title}>
					<Exports site={site} recoverable={recoverable} />
					<DataStoreBackup recoverable={recoverable} />
					<Rehearsed rehearsed={recoverable.rehearsed} />
				</Rows>
			)}
		</Section>
	);
}

function Exports({ site, recoverable: { to, parts } }: { site: SiteView; recoverable: Recoverability }) {
	const { t } = useTranslation("sites");
	const textOf = usePartText();
	const placesOf = usePlacesText();
	const ageOf = useExportAge();
	const count = parts.filter(({ server }) => server !== null).length;
	const hasPortal = count < parts.length;
	const head =
		count === 0
			? t("recoverable.portal")
			: t(hasPortal ? "recoverable.portalAndServers" : "recoverable.servers", { count });
	const age = to.kind === "time" ? ageOf(site, to.at, to.expectedBy) : null;
	const wrong = parts.map((part) => textOf(site, part)).filter(Boolean);
	const hasWarnings = parts.some((part) => part.hasWarnings);
	const tone =
		to.kind === "time"
			? (age?.tone ?? (hasWarnings ? "warnings" : "succeeded"))
			: to.kind === "notKnown"
				? "unknown"
				: "warnings";
	return (
		<Row head={head} tone={tone} below={dotted(age?.below ?? "", placesOf(parts))} {...linkOf(parts)}>
			{wrong.length === 0 ? allVerified(parts) : wrong.map((text) => <Text key={text}>{text}</Text>)}
		</Row>
	);

	/** Returns the link to the backup set that has all exports, or else to the plan of one. */
	function linkOf(all: readonly RecoverablePart[]): { link: string; to: Place } {
		const [first, ...others] = new Map(all.map(({ place }) => [`${place?.plan} ${place?.set}`, place])).values();
		if (first?.plan && first.set && others.length === 0) {
			const to: Place = { page: "backup-set", site: site.id, plan: first.plan, set: first.set };
			return { link: t("recoverable.showSet"), to };
		}
		const plan = all.find(({ place }) => place?.plan)?.place?.plan;
		return plan
			? { link: t("recoverable.showPlan"), to: { page: "plans", site: site.id, plan } }
			: { link: t("attention.toPlans"), to: { page: "plans", site: site.id } };
	}

	function allVerified(all: readonly RecoverablePart[]): string {
		const [version, ...others] = new Set(all.map((part) => part.version));
		const warned = hasWarnings ? "Warned" : "";
		return others.length === 0 && version
			? t(`recoverable.allOf${warned}`, { version })
			: t(`recoverable.all${warned}`);
	}
}

function DataStoreBackup({ recoverable }: { recoverable: Recoverability }) {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	const { tone, text, below } = useDataText()(recoverable.dataStores);
	return (
		<Row head={t("data")} tone={tone} below={below} link={t("explain")} to={{ page: "help", topic: "recoverable" }}>
			{text}
		</Row>
	);
}

function Rehearsed({ rehearsed }: { rehearsed: Rehearsal | null }) {
	const { t } = useTranslation("sites");
	const textOf = useRehearsedText();
	const head = t("recoverable.rehearsed");
	if (rehearsed === null) {
		return (
			<Row head={head} tone={null} dimmed below={t("board.asRecorded")}>
				{t("recoverable.neverRehearsed")}
			</Row>
		);
	}
	const { at, outcome, site, record } = rehearsed;
	return (
		<Row
			head={head}
			tone={outcome === "sent" ? "unknown" : outcome}
			below={formatDate(at)}
			link={t("recoverable.showReceipt")}
			to={{ page: "receipt", site, record }}
		>
			{textOf(rehearsed)}
		</Row>
	);
}

interface RowProps {
	head: string;
	tone: OutcomeName | null;
	dimmed?: boolean;
	below: string;
	link?: string;
	to?: Place;
	children: ReactNode;
}

function Row({ head, tone, dimmed = false, below, link, to, children }: RowProps) {
	const { go } = useNavigation();
	return (
		<li className={`${classes.row} ${own.row}`}>
			<Small className={own.head ?? ""}>{head}</Small>
			<span className={own.icon}>{tone === null ? null : <OutcomeIcon outcome={tone} />}</span>
			<div className={classes.words}>
				<Text component="div" {...(dimmed ? { c: "dimmed" } : {})}>
					{children}
				</Text>
				<Small>{below}</Small>
			</div>
			{to && link ? (
				<LinkButton className={own.link ?? ""} onClick={() => go(to)}>
					{link}
				</LinkButton>
			) : null}
		</li>
	);
}
