import { Button, Paper, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, Outcome, SiteView } from "@/bridge";
import { UndoImport } from "@/components/undo-import";
import { useBring } from "@/lib/brought";
import { parameterOf } from "@/lib/last-parameters";
import { useNavigation } from "@/lib/navigation";
import { useDeactivations } from "@/lib/queries";
import { useTargetName } from "@/lib/target-name";
import classes from "./history-details.module.css";
import { OutcomeCheck } from "./outcome-check";
import { contactBefore } from "./previous-contact";

interface RecoveryProps {
	entry: HistoryEntry;
	outcome: Outcome;
	/** The site, while it is among the saved ones. */
	site: SiteView | null;
	/** Whether the person comes to have the outcome checked. */
	checked: boolean;
	onClose: () => void;
}

/** What can be done about what happened, one notice each. */
export function Recovery({ entry, outcome, site, checked, onClose }: RecoveryProps) {
	const { t } = useTranslation("history");
	const target = useTargetName()(entry);
	return (
		<>
			{outcome === "unknown" ? (
				<Notice title={t("details.recovery.check")} tone="unknown" text={t("details.unknown")}>
					<OutcomeCheck key={entry.id} entry={entry} atOnce={checked} onLeave={onClose} />
				</Notice>
			) : null}
			{entry.hasSafetyBackup && site ? (
				<Notice title={t("details.recovery.undo")} text={t("details.recovery.undoWhat")}>
					<UndoImport site={site} target={target} record={entry.id} />
				</Notice>
			) : null}
			{site ? <Reactivation entry={entry} site={site} /> : null}
			{site ? <PreviousContact entry={entry} site={site} /> : null}
		</>
	);
}

/** The services that an entry deactivated webhooks of: all of several, or the service of one webhook. */
function deactivatedIn({ summary, operation, parameters }: HistoryEntry): readonly string[] {
	if (summary?.kind === "deactivation") return summary.services;
	return operation === "deactivate_webhook" ? [parameterOf(parameters, "service")] : [];
}

interface ReactivationProps {
	entry: HistoryEntry;
	site: SiteView;
}

/** What was deactivated then and is open in the log leads to the page that reactivates it. */
function Reactivation({ entry, site }: ReactivationProps) {
	const { t } = useTranslation("history");
	const { go } = useNavigation();
	const { startedAt, endedAt } = entry;
	const services = deactivatedIn(entry);
	const log = useDeactivations(site.id).data ?? [];
	// The log has no record; one service is deactivated once at a time.
	const open = log.filter(
		({ service, deactivatedAt, resolvedAt }) =>
			resolvedAt === null &&
			services.includes(service) &&
			deactivatedAt >= startedAt &&
			(endedAt === null || deactivatedAt <= endedAt),
	);
	if (open.length === 0) return null;
	return (
		<Notice
			title={t("details.recovery.reactivate", { count: open.length })}
			text={t("details.recovery.reactivateWhat")}
		>
			<Button variant="default" onClick={() => go({ page: "operation", site: site.id, key: "deactivate_webhooks" })}>
				{t("details.recovery.toWebhooks")}
			</Button>
		</Notice>
	);
}

function PreviousContact({ entry, site }: { entry: HistoryEntry; site: SiteView }) {
	const { t } = useTranslation("history");
	const bring = useBring();
	const before = contactBefore(entry);
	if (!before) return null;
	const { contact, parameters } = before;
	return (
		<Notice title={t("details.recovery.restore")} text={t("details.recovery.restoreWhat", { contact })}>
			<Button
				variant="default"
				onClick={() =>
					bring({ site: site.id, server: entry.server }, "update_participant", { parameters, sentAt: null })
				}
			>
				{t("details.recovery.restoreDo")}
			</Button>
		</Notice>
	);
}

interface NoticeProps {
	title: string;
	text: string;
	tone?: "unknown";
	children: ReactNode;
}

/** It is no news, so that a screen reader does not announce it as the notices of a result. */
function Notice({ title, text, tone, children }: NoticeProps) {
	const titleId = useId();
	return (
		<Paper
			withBorder
			component="section"
			aria-labelledby={titleId}
			p="sm"
			className={classes.recovery ?? ""}
			data-tone={tone}
		>
			<Stack gap={4} align="flex-start">
				<Text size="sm" fw={600} id={titleId}>
					{title}
				</Text>
				<Text size="xs" c="dimmed">
					{text}
				</Text>
				{children}
			</Stack>
		</Paper>
	);
}
