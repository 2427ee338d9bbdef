import { Button, List, Text } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, Problem, SiteView, WebhookView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { LongList } from "@/components/long-text";
import { Lines } from "@/components/text";
import { formatList } from "@/lib/format";
import { useLogComparison } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { useReadFirst } from "@/lib/use-ask-first";
import { useReadOnly } from "@/lib/use-read-only";
import { countLeft, isActiveAgain, namesLeft } from "@/lib/webhooks-left";
import type { Actions } from "./use-actions";

type Entries = readonly DeactivationView[];

export interface AskToReactivate {
	/** Reads the log again and opens the confirmation; `null` while the site is locked. */
	ask: ((entries: Entries) => void) | null;
	busy: boolean;
	/** Why the log could not be compared. The confirmation does not open then. */
	problem: Problem | null;
	dialog: ReactNode;
}

/** Confirmation of a reactivation, shared by all places that offer one. */
export function useReactivation(site: SiteView, { reactivation, reactivateAll }: Actions): AskToReactivate {
	const target = serverOf(site);
	const readOnly = useReadOnly(site);
	const [asking, setAsking] = useState<Entries>([]);
	const wanted = useRef<Entries>([]);
	const read = useReadFirst(useLogComparison(target, false), (fresh = []) => {
		const asked = new Set(wanted.current.map(({ id }) => id));
		// Webhooks that are active again are shown in the log and need no confirmation.
		setAsking(fresh.filter((entry) => asked.has(entry.id) && entry.resolvedAt === null && !isActiveAgain(entry)));
	});
	const latest = useRef(read.ask);
	latest.current = read.ask;
	// Stable, so that lists with this function are not rendered again.
	const ask = useCallback((entries: Entries) => {
		wanted.current = entries;
		latest.current();
	}, []);
	const start = (reason: string) => {
		const [first, ...others] = asking;
		if (others.length > 0) reactivateAll.start(asking, reason);
		else if (first) reactivation.start({ entry: first, webhook: null }, reason);
	};
	return {
		ask: readOnly ? null : ask,
		busy: reactivation.running || reactivateAll.running || read.isReading,
		problem: read.problem,
		dialog: <AskReactivation entries={asking} site={site} onCancel={() => setAsking([])} onConfirm={start} />,
	};
}

interface ReactivateAllProps {
	entries: readonly DeactivationView[];
	/** Label of the button. Default: the number of webhooks to reactivate. */
	label?: string;
	reactivate: AskToReactivate;
}

/** Button that reactivates the webhooks of all entries after a confirmation. Hidden while the site is locked. */
export function ReactivateAll({ entries, label, reactivate: { ask, busy } }: ReactivateAllProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const count = countLeft(entries);
	if (ask === null) return null;
	return (
		<Button
			w="fit-content"
			variant="filled"
			leftSection={<IconRestore size={14} aria-hidden />}
			loading={busy}
			onClick={() => ask(entries)}
		>
			{label ?? t("reactivation.confirm", { count })}
		</Button>
	);
}

interface AskReactivationProps {
	/** Entries whose webhooks are reactivated; none closes the dialog. */
	entries: readonly DeactivationView[];
	/** Single webhook of the entry; omitted for all of them. */
	webhook?: WebhookView | undefined;
	site: SiteView;
	onCancel: () => void;
	onConfirm: (reason: string) => void;
}

/** Confirmation before webhooks of one or several entries are reactivated. */
export function AskReactivation({ entries, webhook, site, onCancel, onConfirm }: AskReactivationProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const [only, ...others] = entries;
	const count = webhook ? 1 : countLeft(entries);
	return (
		<ConfirmDialog
			opened={entries.length > 0}
			onClose={onCancel}
			title={t("reactivation.title", { count, site: target })}
			site={site}
			confirm={t("reactivation.confirm", { count })}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			{only && others.length === 0 ? (
				<>
					<Text mod="anywhere">{t("reactivation.body", { count, service: only.service })}</Text>
					<Lines lines={webhook ? [webhook.name] : namesLeft(only)} />
				</>
			) : (
				<>
					<Text>{t("reactivationOfAll.body")}</Text>
					<LongList label={t("reactivationOfAll.list")}>
						<List spacing="xs">
							{entries.map((entry) => (
								<List.Item key={entry.id} mod="anywhere">
									<Text span>{entry.service}</Text>
									<Text c="dimmed">{formatList(namesLeft(entry))}</Text>
								</List.Item>
							))}
						</List>
					</LongList>
				</>
			)}
		</ConfirmDialog>
	);
}
