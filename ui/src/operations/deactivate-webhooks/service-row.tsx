import { Button, Checkbox, Group, Table, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, ServiceView, SiteView } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { OutcomeIcon } from "@/components/outcome";
import { Small } from "@/components/text";
import { formatWhen } from "@/lib/format";
import { useGapText } from "@/lib/gap-text";
import { countLeft } from "@/lib/webhooks-left";
import { dotted, joined } from "@/messages/isolated";
import { Deliveries, knownOf, type useDeliveries } from "./deliveries";
import classes from "./service-table.module.css";
import type { Actions } from "./use-actions";
import type { AskToReactivate } from "./use-reactivation";
import { WebhookRows } from "./webhook-rows";
import { activeNames, canBeDeactivated } from "./webhooks";

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
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start">
			{deactivated > 0 ? <OutcomeIcon outcome="warnings" isAtFirstLine /> : null}
			<Text>{words.join(", ")}</Text>
		</Group>
	);
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
