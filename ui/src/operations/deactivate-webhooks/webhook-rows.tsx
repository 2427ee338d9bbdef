import { Switch, Table, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
	DeactivationView,
	ServiceView,
	SiteView,
	Target,
	WebhookDeliveries,
	WebhookOfService,
	WebhookView,
} from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/notice";
import { WithIcon } from "@/components/outcome";
import { Breakable, Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useDeactivations, useFailedDeliveries, useServices } from "@/lib/queries/site";
import { serverOf, useTargetNameOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-ask-first";
import { unavailableText, useReadOnly } from "@/lib/use-read-only";
import { joined } from "@/messages/isolated";
import classes from "./form.module.css";
import { WhyField } from "./send";
import { type Actions, AskReactivation } from "./use-reactivation";

interface WebhookRowsProps {
	site: SiteView;
	service: ServiceView;
	actions: Actions;
	deliveries: ReturnType<typeof useDeliveries>;
}

/** Requested change of one webhook: `entry` is `null` for a deactivation, and the log entry for a reactivation. */
interface WebhookChange {
	webhook: WebhookView;
	entry: DeactivationView | null;
}

/**
 * Webhooks of a service with receiver and current state. An active one can be deactivated; one with a log entry can be
 * reactivated.
 */
export function WebhookRows({ site, service, actions, deliveries }: WebhookRowsProps) {
	const { deactivateOne, reactivation } = actions;
	const { t } = useTranslation("deactivateWebhooks");
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const [asked, setAsked] = useState<WebhookChange | null>(null);
	const wanted = useRef<WebhookChange>(null);
	const read = useReadFirst(useServices(serverOf(site)), (fresh) => {
		const before = wanted.current;
		const now = fresh?.find(({ path }) => path === service.path)?.webhooks?.find(({ id }) => id === before?.webhook.id);
		// If the webhook changed meanwhile, its row shows that, and the confirmation does not open.
		setAsked(before && now?.active === before.webhook.active ? { ...before, webhook: now } : null);
	});
	const log = useDeactivations(serverOf(site)).data ?? [];
	const entryOf = ({ id, active }: WebhookView) =>
		active === false
			? (log.find((one) => one.resolvedAt === null && one.service === service.path && one.activeIds?.includes(id)) ??
				null)
			: null;
	const isBusy = deactivateOne.running || reactivation.running || read.isReading;
	const webhooks = service.webhooks ?? [];
	const names = webhooks.map(({ name }) => name);
	const isSharedName = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
	return (
		<Table.Tbody aria-label={t("webhooksOf", { service: service.path })}>
			{webhooks.map((webhook, at) => {
				const { id, name, receiver, active } = webhook;
				const entry = entryOf(webhook);
				const apart = isSharedName(name) ? (id ? t("withId", { id }) : receiver) : "";
				const why = readOnly
					? unavailableText(common, { kind: "readOnly" })
					: active === null
						? t("stateNotReported")
						: active || entry
							? null
							: t("switchOn");
				return (
					<Table.Tr key={id || at} className={classes.opened ?? ""}>
						<Table.Td className={classes.box ?? ""} />
						<Table.Td>
							<Text>{name}</Text>
							{apart && id ? <Small>{apart}</Small> : null}
						</Table.Td>
						<Table.Td>
							<Text>{receiver ? <Breakable>{receiver}</Breakable> : null}</Text>
							<Small aria-hidden>
								{active === null ? t("stateNotReported") : t(active ? "isActive" : "isInactive")}
							</Small>
						</Table.Td>
						<Table.Td>
							<Deliveries known={knownOf(service, [webhook], deliveries)} />
						</Table.Td>
						<Table.Td className={classes.acts ?? ""}>
							<Switch
								aria-label={apart ? joined([name, apart], ", ") : name}
								checked={active ?? false}
								// Without an ID, a request cannot name the webhook.
								disabled={why !== null || id === "" || isBusy}
								{...(why === null ? {} : { "aria-description": why, title: why })}
								onChange={() => {
									wanted.current = { webhook, entry };
									read.ask();
								}}
							/>
						</Table.Td>
					</Table.Tr>
				);
			})}
			{read.problem ? (
				<Table.Tr>
					<Table.Td colSpan={5}>
						<ProblemNotice problem={read.problem} />
					</Table.Td>
				</Table.Tr>
			) : null}
			<AskOne
				site={site}
				service={service}
				webhook={asked && asked.entry === null ? asked.webhook : null}
				onClose={() => setAsked(null)}
				onConfirm={(one) => deactivateOne.start({ service, ...one })}
			/>
			<AskReactivation
				entries={asked?.entry ? [asked.entry] : []}
				webhook={asked?.webhook}
				site={site}
				onCancel={() => setAsked(null)}
				onConfirm={(reason) => {
					if (asked?.entry) reactivation.start({ entry: asked.entry, webhook: asked.webhook }, reason);
				}}
			/>
		</Table.Tbody>
	);
}

interface AskOneProps {
	site: SiteView;
	service: ServiceView;
	/** `null` closes the dialog. */
	webhook: WebhookView | null;
	onClose: () => void;
	onConfirm: (one: { webhook: WebhookView; why: string; confirmation: string }) => void;
}

function AskOne({ site, service, webhook, onClose, onConfirm }: AskOneProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const [why, setWhy] = useState("");
	return (
		<ConfirmDialog
			opened={webhook !== null}
			onClose={onClose}
			title={t("one.title", { webhook: webhook?.name ?? "", service: service.path, site: target })}
			site={site}
			confirm={t("one.confirm")}
			hasReason={false}
			toType={site.confirmByTyping.deactivation}
			onConfirm={(confirmation) => (webhook ? onConfirm({ webhook, why, confirmation }) : undefined)}
		>
			<Text mod="anywhere">{webhook?.receiver}</Text>
			<Text>{t("one.body")}</Text>
			<WhyField why={why} onWhy={setWhy} />
		</ConfirmDialog>
	);
}

/** State of the deliveries of one or several webhooks. */
type Known =
	| { kind: "inactive" | "reading" | "notRead" | "notReported" | "none" }
	| { kind: "failed"; count: number; first: number | null; last: number | null };

type Read = ReadonlyMap<string, WebhookDeliveries>;

const keyOf = ({ service, webhook }: WebhookOfService) => JSON.stringify([service, webhook]);

/** Returns the webhooks with an ID, except inactive ones, for which servers list no failed deliveries. */
function askable(services: readonly ServiceView[]): WebhookOfService[] {
	return services.flatMap(({ path, webhooks }) =>
		(webhooks ?? [])
			.filter(({ id, active }) => id !== "" && path !== "" && active !== false)
			.map(({ id }) => ({ service: path, webhook: id })),
	);
}

/** Reads the failed deliveries of a server's webhooks, after its list of services. */
export function useDeliveries(target: Target, services: readonly ServiceView[]) {
	const { data, isFetching } = useFailedDeliveries(target, askable(services));
	return { read: new Map((data ?? []).map((one) => [keyOf(one), one])), isReading: isFetching && data === undefined };
}

/**
 * Combines the deliveries of some webhooks of a service. Servers list only failures, so "none" does not mean success.
 */
export function knownOf(
	{ path }: ServiceView,
	webhooks: readonly { id: string; active: boolean | null }[],
	{ read, isReading }: { read: Read; isReading: boolean },
): Known {
	const active = webhooks.filter((one) => one.active !== false);
	if (active.length === 0) return { kind: "inactive" };
	if (isReading) return { kind: "reading" };
	const each = active.map(({ id }) => read.get(keyOf({ service: path, webhook: id })));
	const failed = each.filter((one) => (one?.failures ?? 0) > 0);
	if (failed.length > 0) {
		const times = (of: "first" | "last") => failed.flatMap((one) => one?.[of] ?? []);
		const [first, last] = [times("first"), times("last")];
		return {
			kind: "failed",
			count: failed.reduce((sum, one) => sum + (one?.failures ?? 0), 0),
			first: first.length > 0 ? Math.min(...first) : null,
			last: last.length > 0 ? Math.max(...last) : null,
		};
	}
	if (each.some((one) => one === undefined)) return { kind: "notRead" };
	return { kind: each.some((one) => one?.failures === null) ? "notReported" : "none" };
}

export function Deliveries({ known }: { known: Known }) {
	const { t } = useTranslation("deactivateWebhooks", { keyPrefix: "deliveries" });
	if (known.kind !== "failed") return <Text c="dimmed">{t(known.kind)}</Text>;
	const { count, first, last } = known;
	const when = () => {
		if (first === null || last === null) return null;
		return first === last ? formatTime(last) : t("between", { first: formatTime(first), last: formatTime(last) });
	};
	return (
		<WithIcon icon="failed">
			<div>
				<Text>{t("failed", { count })}</Text>
				<Small>{when()}</Small>
			</div>
		</WithIcon>
	);
}
