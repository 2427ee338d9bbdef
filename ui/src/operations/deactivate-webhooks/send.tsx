import { Group, List, Text, TextInput } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivateReport, DeactivateWebhooksForm, Parameter, Problem, ServiceView, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { NotAsked } from "@/components/not-asked";
import { RequestPreview } from "@/components/request-preview";
import { ChangeButton } from "@/components/submit-form";
import { LongList } from "@/components/text";
import { draftKey, labelled, useSessionState } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";
import type { OperationHandle } from "@/lib/runs";
import { serverNameOf, serverOf, targetKey, useTargetNameOf } from "@/lib/target";
import { useAskFirst } from "@/lib/use-ask-first";
import classes from "./form.module.css";

/** Selection that outlives the page and a rejected request. */
interface ChoiceDraft {
	chosen: string[];
	reason: string;
}

export const choiceOf = draftKey<ChoiceDraft>();
const noChoice: ChoiceDraft = { chosen: [], reason: "" };

export function useChoice(site: SiteView) {
	const [{ chosen, reason }, setChoice] = useSessionState(choiceOf(targetKey(serverOf(site))), noChoice);
	// Services filled in from an earlier request; some might no longer be deactivatable.
	const [sent, setSent] = useState<string[]>([]);
	// Stable, because typing a reason would otherwise render the list of services again.
	const choose = useCallback((services: string[]) => setChoice((now) => ({ ...now, chosen: services })), [setChoice]);
	const fill = (parameters: readonly Parameter[]) => {
		const services = parameters.filter(({ name }) => name === "service").map(({ value }) => value);
		setChoice({ chosen: services, reason: parameterOf(parameters, "why") });
		setSent(services);
	};
	return {
		paths: chosen,
		choose,
		why: reason,
		setWhy: (why: string) => setChoice((now) => ({ ...now, reason: why })),
		sent,
		fill,
	};
}

type Choice = ReturnType<typeof useChoice>;

/** Returns the names of active webhooks; `null` if the server does not report the state of each. */
export function activeNames({ webhooks }: ServiceView): string[] | null {
	if (webhooks === null || webhooks.some(({ active }) => active === null)) return null;
	return webhooks.filter(({ active }) => active).map(({ name }) => name);
}

/** Whether a request can name the service and it might have active webhooks. */
export function canBeDeactivated(service: ServiceView): boolean {
	return service.path !== "" && activeNames(service)?.length !== 0;
}

interface Chosen {
	path: string;
	/** Names of active webhooks; `null` if the server does not report them. */
	active: readonly string[] | null;
}

/** Returns how many webhooks a deactivation affects; `null` if the server does not list them. */
function countFalling(chosen: readonly Chosen[]): number | null {
	const counts = chosen.map(({ active }) => active?.length ?? null);
	return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Sorts by folder, the root first. Within a folder, the order of the server is kept. */
export function inOrder(services: readonly ServiceView[]): ServiceView[] {
	return services.toSorted((one, other) => one.folder.localeCompare(other.folder));
}

interface SendProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
	choice: Choice;
	/** List of services, read again before the confirmation; `null` if the server lists none. */
	list: Pick<UseQueryResult<ServiceView[], Problem>, "refetch"> | null;
	chosen: readonly Chosen[];
	/** Hint while nothing is selected. */
	first: string;
}

/** Request preview and submit button for the selected services, with the confirmation. */
export function Send({ site, handle, choice, list, chosen, first }: SendProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const isOneOfSeveral = serverNameOf("deactivate_webhooks", site) !== null;
	const services = chosen.map(({ path }) => path);
	const asking = useAskFirst(services, list, (path, fresh) => fresh.some((one) => one.path === path));
	const falling = countFalling(chosen);
	const hint = falling === null ? t("unlistedFall") : t("willFall", { count: falling });
	return (
		<>
			{services.length === 0 ? null : (
				<RequestPreview
					site={site}
					form={{ operation: "deactivate_webhooks", form: { services, why: choice.why, confirmation: "" } }}
				/>
			)}
			<Group className={classes.bar ?? ""}>
				<ChangeButton site={site} disabled={services.length === 0} loading={asking.isReading} onClick={asking.ask}>
					{services.length === 0
						? t("submitNone")
						: t(isOneOfSeveral ? "submitOn" : "submit", { count: services.length, site: target })}
				</ChangeButton>
				<Text c="dimmed">{services.length === 0 ? first : hint}</Text>
			</Group>
			<NotAsked
				asking={asking}
				title={(count) => t("gone", { count })}
				text={(gone) => t("goneWhat", { services: formatList(gone) })}
			/>
			<Confirm
				opened={asking.isAsked && chosen.length > 0}
				services={chosen}
				site={site}
				onCancel={asking.close}
				why={choice.why}
				onWhy={choice.setWhy}
				onConfirm={(confirmation) => handle.start({ services, why: choice.why, confirmation })}
			/>
		</>
	);
}

interface ConfirmProps {
	opened: boolean;
	services: readonly Chosen[];
	site: SiteView;
	why: string;
	onWhy: (why: string) => void;
	onCancel: () => void;
	onConfirm: (confirmation: string) => void;
}

/** Maximum number of services in the confirmation. The list that it covers shows all of them. */
const listedServices = 50;

/** Confirmation before webhooks are deactivated. */
function Confirm({ opened, services, site, why, onWhy, onCancel, onConfirm }: ConfirmProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const falling = countFalling(services);
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onCancel}
			title={
				falling === null
					? t("confirmUnlisted", { count: services.length, site: target })
					: t("confirmTitle", { count: falling, site: target })
			}
			size="md"
			site={site}
			confirm={t("confirm", { count: falling ?? 2 })}
			toType={site.confirmByTyping.deactivation}
			hasReason={false}
			onConfirm={onConfirm}
		>
			<LongList label={t("toDeactivate")}>
				<List spacing="xs">
					{services.slice(0, listedServices).map((service) => (
						<List.Item key={service.path} mod="anywhere">
							<Text span>{service.path}</Text>
							{service.active ? <Text c="dimmed">{formatList(service.active)}</Text> : null}
						</List.Item>
					))}
				</List>
				{services.length > listedServices ? (
					<Text mt="xs">{t("andMore", { count: services.length - listedServices })}</Text>
				) : null}
			</LongList>
			<Text>{falling === null ? t("unlistedBody") : t("confirmBody", { count: falling })}</Text>
			<WhyField why={why} onWhy={onWhy} />
		</ConfirmDialog>
	);
}

export function WhyField({ why, onWhy }: { why: string; onWhy: (why: string) => void }) {
	const { t } = useTranslation("deactivateWebhooks");
	return (
		<TextInput
			{...labelled(t, "why")}
			spellCheck
			data-path="why"
			value={why}
			onChange={(event) => onWhy(event.currentTarget.value)}
		/>
	);
}
