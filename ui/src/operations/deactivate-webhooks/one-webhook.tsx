import { Button, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { unavailableText } from "@/lib/unavailable-text";
import { useReadFirst } from "@/lib/use-read-first";
import { useReadOnly } from "@/lib/use-read-only";
import type { Actions } from "./use-actions";

interface OneWebhookProps {
	site: SiteView;
	service: ServiceView;
	deactivateOne: Actions["deactivateOne"];
}

/** Deactivates one of the active webhooks of a service, and leaves the others as they are. */
export function OneWebhook({ site, service, deactivateOne }: OneWebhookProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	const read = useReadFirst(useServices(serverOf(site)), open);
	const [chosen, setChosen] = useState("");
	const [why, setWhy] = useState("");
	// Without an identifier the server cannot be told which.
	const active = service.webhooks?.filter(({ id, active }) => active && id !== "") ?? [];
	const webhook = active.find(({ id }) => id === chosen) ?? active[0];
	// The only one is deactivated with its service.
	if (!webhook || active.length < 2) return null;
	return (
		<>
			<Button
				size="compact-sm"
				variant="subtle"
				aria-label={t("one.label", { service: service.path })}
				loading={deactivateOne.running || read.isReading}
				disabled={readOnly}
				{...(readOnly ? { "aria-description": unavailableText(common, { kind: "readOnly" }) } : {})}
				onClick={read.ask}
			>
				{t("one.open")}
			</Button>
			{read.problem ? <ProblemNotice problem={read.problem} /> : null}
			<ConfirmDialog
				opened={asking}
				onClose={close}
				title={t("one.title", { service: service.path, site: target })}
				site={site}
				confirm={t("one.confirm")}
				toType={site.environment === "production" ? site.name : ""}
				hasReason={false}
				onConfirm={(confirmation) => deactivateOne.start({ service, webhook, why, confirmation })}
			>
				<Radio.Group label={t("one.choose")} value={webhook.id} onChange={setChosen}>
					<Stack gap="xs" mt="xs">
						{active.map(({ id, name, receiver }) => (
							<Radio key={id} value={id} label={name} description={receiver} />
						))}
					</Stack>
				</Radio.Group>
				<Text>{t("one.body")}</Text>
				<TextInput
					label={t("why")}
					description={t("whyHint")}
					data-path="why"
					value={why}
					onChange={(event) => setWhy(event.currentTarget.value)}
				/>
			</ConfirmDialog>
		</>
	);
}
