import { Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView, WebhookView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { unavailableText } from "@/lib/unavailable-text";
import { useReadFirst } from "@/lib/use-read-first";
import { useReadOnly } from "@/lib/use-read-only";
import type { Actions } from "./use-actions";

interface WebhookRowsProps {
	site: SiteView;
	service: ServiceView;
	deactivateOne: Actions["deactivateOne"];
}

/** The webhooks of a service, each with its receiver and its state as it is now. One that is active can be switched off. */
export function WebhookRows({ site, service, deactivateOne }: WebhookRowsProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const [asked, setAsked] = useState<WebhookView | null>(null);
	const wanted = useRef("");
	const read = useReadFirst(useServices(serverOf(site)), (fresh) => {
		const now = fresh?.find(({ path }) => path === service.path)?.webhooks?.find(({ id }) => id === wanted.current);
		// One that is no longer active is shown so in its row.
		setAsked(now?.active ? now : null);
	});
	const webhooks = service.webhooks ?? [];
	return (
		<Stack gap={0} ms={32} role="group" aria-label={t("webhooksOf", { service: service.path })}>
			{webhooks.map((webhook, at) => {
				const { id, name, receiver, active } = webhook;
				// Without an identifier the server cannot be told which.
				const why = readOnly
					? unavailableText(common, { kind: "readOnly" })
					: active === null
						? t("stateNotReported")
						: active
							? null
							: t("switchOn");
				return (
					<Group key={id || at} justify="space-between" wrap="nowrap" mih={48} gap="sm">
						<div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
							<Text>{name}</Text>
							<Text size="xs" c="dimmed">
								{receiver}
							</Text>
						</div>
						<Group gap="xs" wrap="nowrap" flex="none">
							<Text size="xs" c="dimmed" aria-hidden>
								{active === null ? t("stateNotReported") : t(active ? "isActive" : "isInactive")}
							</Text>
							<Switch
								aria-label={name}
								checked={active ?? false}
								disabled={why !== null || id === "" || deactivateOne.running || read.isReading}
								{...(why === null ? {} : { "aria-description": why, title: why })}
								onChange={() => {
									wanted.current = id;
									read.ask();
								}}
							/>
						</Group>
					</Group>
				);
			})}
			{read.problem ? <ProblemNotice problem={read.problem} /> : null}
			<AskOne
				site={site}
				service={service}
				webhook={asked}
				onClose={() => setAsked(null)}
				onConfirm={(one) => deactivateOne.start({ service, ...one })}
			/>
		</Stack>
	);
}

interface AskOneProps {
	site: SiteView;
	service: ServiceView;
	/** `null`: nothing is asked. */
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
			toType={site.environment === "production" ? site.name : ""}
			onConfirm={(confirmation) => (webhook ? onConfirm({ webhook, why, confirmation }) : undefined)}
		>
			<Text style={{ overflowWrap: "anywhere" }}>{webhook?.receiver}</Text>
			<Text>{t("one.body")}</Text>
			<TextInput
				label={t("why")}
				description={t("whyHint")}
				data-path="why"
				value={why}
				onChange={(event) => setWhy(event.currentTarget.value)}
			/>
		</ConfirmDialog>
	);
}
