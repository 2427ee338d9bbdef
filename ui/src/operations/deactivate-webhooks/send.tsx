import { Group, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DeactivateReport, DeactivateWebhooksForm, Problem, ServiceView, SiteView } from "@/bridge";
import { ChangeButton } from "@/components/change-button";
import { NotAsked } from "@/components/not-asked";
import { RequestPreview } from "@/components/request-preview";
import { formatList } from "@/lib/format";
import { serverNameOf, useTargetNameOf } from "@/lib/target-name";
import { useAskFirst } from "@/lib/use-ask-first";
import type { OperationHandle } from "@/lib/use-operation";
import { Confirm } from "./confirm";
import classes from "./form.module.css";
import type { Choice } from "./use-choice";
import { type Chosen, countFalling } from "./webhooks";

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
