import { List, Text } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type DeactivationView,
	type Problem,
	type ServiceView,
	type SiteView,
	useBackend,
	type WebhookView,
} from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { IconButton, Lines, LongList } from "@/components/text";
import { formatList } from "@/lib/format";
import { useDeactivations, useLogComparison, useServices } from "@/lib/queries/site";
import { type OperationState, type RunOfItsOwn, useOperation } from "@/lib/runs";
import { countLeft, isActiveAgain, namesLeft } from "@/lib/service-state";
import { serverOf, useTargetNameOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-ask-first";
import { useReadOnly } from "@/lib/use-read-only";

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
		<IconButton
			label={label ?? t("reactivation.confirm", { count })}
			w="fit-content"
			variant="filled"
			icon={IconRestore}
			loading={busy}
			onClick={() => ask(entries)}
		/>
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

interface OneWebhook {
	service: ServiceView;
	webhook: WebhookView;
	why: string;
	confirmation: string;
}

export interface Reactivated {
	entry: DeactivationView;
	/** `null` for all webhooks of the entry. */
	webhook: WebhookView | null;
}

const operation = "deactivate_webhooks";
const runs = {
	reactivate: { operation, act: "reactivate_webhooks", name: "reactivate" },
	reactivateAll: { operation, act: "reactivate_webhooks", name: "reactivateAll" },
	deactivateOne: { operation, act: "deactivate_webhook", name: "deactivateOne" },
} as const satisfies Record<string, RunOfItsOwn>;

/** Actions in addition to the operation. Results outlive the page until another action starts. */
export function useActions(site: SiteView) {
	const backend = useBackend();
	// Removes earlier results, which the next action might contradict.
	const forget = () => {
		for (const action of [reactivation, reactivateAll, deactivateOne]) action.reset();
	};
	const reactivation = useOperation(runs.reactivate, site, (run, { entry, webhook }: Reactivated) => {
		forget();
		return webhook === null
			? backend.reactivateWebhooks(serverOf(site), run, entry.id)
			: backend.reactivateWebhook(serverOf(site), run, entry.id, webhook.id);
	});
	const reactivateAll = useOperation(runs.reactivateAll, site, (run, entries: readonly DeactivationView[]) => {
		forget();
		const ids = entries.map(({ id }) => id);
		return backend.reactivateAllWebhooks(serverOf(site), run, ids);
	});
	const deactivateOne = useOperation(runs.deactivateOne, site, (run, one: OneWebhook) => {
		forget();
		const { service, webhook, why, confirmation } = one;
		const form = { service: service.path, webhook: webhook.id, why, confirmation };
		return backend.deactivateWebhook(serverOf(site), run, form);
	});
	return { reactivation, reactivateAll, deactivateOne, forget };
}

export type Actions = ReturnType<typeof useActions>;

export const hasEnded = ({ kind }: OperationState<unknown, unknown>): boolean => kind !== "idle" && kind !== "running";

/** Whether a server that listed all services no longer has one at a path. `false` if the list is incomplete. */
export function isGone(services: readonly ServiceView[] | undefined, path: string): boolean {
	return services?.every((one) => one.gap === null && one.path !== "" && one.path !== path) ?? false;
}

/**
 * Deactivation log of a server, with the state of each entry as of the last `useLogComparison`, which the page must
 * call.
 */
export function useLog(site: SiteView) {
	const target = serverOf(site);
	const log = useDeactivations(target);
	// Cached services: showing the log sends no request.
	const services = useServices(target, { enabled: false });
	const last = services.error ? undefined : services.data;
	const entries = log.data;
	return useMemo(() => {
		const open = (entries ?? []).filter(({ resolvedAt }) => resolvedAt === null);
		const gone = new Set(open.filter(({ service }) => isGone(last, service)).map(({ id }) => id));
		/** Entries whose webhooks can be reactivated. */
		const left = open.filter((entry) => entry.left?.length && !gone.has(entry.id));
		return { entries: entries ?? [], isRead: entries !== undefined, open, gone, left };
	}, [entries, last]);
}

/** Groups open entries by service. A service can have several. */
export function byService(open: readonly DeactivationView[]): ReadonlyMap<string, readonly DeactivationView[]> {
	const entries = new Map<string, DeactivationView[]>();
	for (const entry of open) entries.set(entry.service, [...(entries.get(entry.service) ?? []), entry]);
	return entries;
}
