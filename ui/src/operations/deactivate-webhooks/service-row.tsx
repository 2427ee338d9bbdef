import { Button, Checkbox, Switch, Table, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, ServiceView, SiteView, WebhookView } from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/notice";
import { WithIcon } from "@/components/outcome";
import { Breakable, Small } from "@/components/text";
import { formatWhen } from "@/lib/format";
import { useGapText } from "@/lib/gap-text";
import { useDeactivations, useServices } from "@/lib/queries/site";
import { countLeft } from "@/lib/service-state";
import { serverOf, useTargetNameOf } from "@/lib/target";
import { useReadFirst } from "@/lib/use-ask-first";
import { unavailableText, useReadOnly } from "@/lib/use-read-only";
import { dotted, joined } from "@/messages/isolated";
import { Deliveries, knownOf, type useDeliveries } from "./deliveries";
import { WhyField } from "./send";
import classes from "./service-table.module.css";
import { activeNames, canBeDeactivated } from "./use-choice";
import { type Actions, AskReactivation, type AskToReactivate } from "./use-reactivation";

interface ServiceRowProps {
	site: SiteView;
	actions: Actions;
	service: ServiceView;
	/** Open log entries of the service, newest first. */
	entries: readonly DeactivationView[];
	deliveries: ReturnType<typeof useDeliveries>;
	/** Filter text in lower case. */
	words: string;
	reactivate: Pick<AskToReactivate, "ask" | "busy">;
	/** Whether the last column is too narrow for buttons; they are shown below the counts then. */
	isTight: boolean;
	ticked: boolean;
	onTick: (ticked: boolean) => void;
}

/**
 * Row of a service, with its webhooks in further rows when expanded. Webhooks are deactivated together or one at a
 * time.
 */
export function ServiceRow(props: ServiceRowProps) {
	const { site, actions, service, entries, deliveries, words, reactivate, isTight, ticked, onTick } = props;
	const { t } = useTranslation("deactivateWebhooks");
	const { t: common } = useTranslation();
	const gapText = useGapText();
	const [isOpen, { toggle }] = useDisclosure(false);
	const { path, webhooks } = service;
	if (service.gap) {
		const of = service.name ? `${service.name}.${service.type}` : service.folder;
		return (
			<Table.Tbody>
				<Table.Tr>
					<Table.Td className={classes.box ?? ""} />
					<Table.Td colSpan={4}>
						<Text role="note">{gapText(service.gap, of)}</Text>
					</Table.Td>
				</Table.Tr>
			</Table.Tbody>
		);
	}
	if (path === "") {
		return (
			<Table.Tbody>
				<Table.Tr>
					<Table.Td colSpan={5}>
						<Checkbox checked={false} disabled label={common("unreadableEntry")} />
					</Table.Td>
				</Table.Tr>
			</Table.Tbody>
		);
	}
	const inactive = entries.filter(({ left }) => left !== null && left.length > 0);
	const [newest] = inactive;
	const count = countLeft(inactive);
	const Chevron = isOpen ? IconChevronDown : IconChevronRight;
	const name = <Breakable>{path}</Breakable>;
	return (
		<>
			<Table.Tbody>
				<Table.Tr>
					<Table.Td className={classes.box ?? ""}>
						<Checkbox
							checked={ticked}
							onChange={(event) => onTick(event.currentTarget.checked)}
							disabled={!canBeDeactivated(service)}
							aria-label={path}
						/>
					</Table.Td>
					<Table.Td>
						{webhooks && webhooks.length > 0 ? (
							<UnstyledButton
								className={classes.open ?? ""}
								aria-expanded={isOpen}
								aria-label={t("openService", { words: wordsOf(), service: path })}
								onClick={toggle}
							>
								<Chevron size={14} aria-hidden />
								<Text span {...(isOpen ? { fw: 600 } : {})}>
									{name}
								</Text>
							</UnstyledButton>
						) : (
							<Text ps={20}>{name}</Text>
						)}
					</Table.Td>
					<Table.Td>
						<Counts service={service} here={count} />
						{newest ? <Since entry={newest} /> : null}
						<Matching service={service} words={words} />
						{isTight ? reactivation() : null}
					</Table.Td>
					<Table.Td>
						{webhooks && webhooks.length > 0 ? <Deliveries known={knownOf(service, webhooks, deliveries)} /> : null}
					</Table.Td>
					<Table.Td className={classes.acts ?? ""}>{isTight ? null : reactivation()}</Table.Td>
				</Table.Tr>
			</Table.Tbody>
			{isOpen ? <WebhookRows site={site} service={service} actions={actions} deliveries={deliveries} /> : null}
		</>
	);

	function reactivation() {
		if (count === 0 || !reactivate.ask) return null;
		return (
			<Button
				mt={isTight ? 4 : 0}
				loading={reactivate.busy}
				aria-label={t("log.reactivateLabel", { count, service: path })}
				onClick={() => reactivate.ask?.(inactive)}
			>
				{t("log.reactivateShort")}
			</Button>
		);
	}

	/** Returns the label of the button that expands the row. */
	function wordsOf(): string {
		const active = activeNames(service);
		if (active === null) return t("reported", { count: webhooks?.length ?? 0 });
		return active.length === 0 ? t("deactivated") : t("active", { count: active.length });
	}
}

/** Number of webhooks that are active, inactive, and deactivated by the app. */
function Counts({ service: { webhooks }, here }: { service: ServiceView; here: number }) {
	const { t } = useTranslation("deactivateWebhooks");
	if (webhooks === null) return <Text>{t("unlisted")}</Text>;
	if (webhooks.length === 0) return <Text c="dimmed">{t("noWebhooks")}</Text>;
	const of = (state: boolean | null) => webhooks.filter(({ active }) => active === state).length;
	// An active webhook is not counted as deactivated, even if the log lists it.
	const deactivated = Math.min(here, of(false));
	const counts = {
		active: of(true),
		inactive: of(false) - deactivated,
		here: deactivated,
		notReported: of(null),
	};
	const kinds = ["active", "inactive", "here", "notReported"] as const;
	const words = kinds.filter((kind) => counts[kind] > 0).map((kind) => t(`counts.${kind}`, { count: counts[kind] }));
	return deactivated > 0 ? <WithIcon icon="warnings">{words.join(", ")}</WithIcon> : <Text>{words.join(", ")}</Text>;
}

function Since({ entry: { deactivatedAt, by, why } }: { entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const who = by || t("log.unknownUser");
	return <Small>{dotted(formatWhen(deactivatedAt), who, ...(why === "" ? [] : [t("quoted", { words: why })]))}</Small>;
}

/** Webhooks that match the search, if the path of the service does not. */
function Matching({ service: { path, webhooks }, words }: { service: ServiceView; words: string }) {
	if (words === "" || path.toLowerCase().includes(words)) return null;
	const found = (webhooks ?? []).filter(({ name, receiver }) =>
		[name, receiver].some((text) => text.toLowerCase().includes(words)),
	);
	return (
		<Small>
			{joined(
				found.map(({ name }) => name),
				"\u00a0· ",
			)}
		</Small>
	);
}

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
function WebhookRows({ site, service, actions, deliveries }: WebhookRowsProps) {
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
