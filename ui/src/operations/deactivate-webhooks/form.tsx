import { Stack, TagsInput, Text } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import {
	type DeactivateReport,
	type DeactivateWebhooksForm,
	type Problem,
	type ServiceView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { HideResult } from "@/components/after-run";
import { NotRecorded } from "@/components/done-at";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { OperationScreen } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { EmptyState, pageWidths } from "@/components/page";
import { PreviousValues } from "@/components/previous-values";
import { Small } from "@/components/text";
import { useDraft } from "@/lib/drafts";
import { formatTime } from "@/lib/format";
import { useBrought } from "@/lib/navigation";
import { rereadServices, useLogComparison, useServices } from "@/lib/queries/site";
import { type OperationHandle, useOperation } from "@/lib/runs";
import { serverNameOf, serverOf, targetKey, useTargetNameOf } from "@/lib/target";
import { LogLink } from "./deactivation-log";
import { ReactivationResults, Report } from "./report";
import { activeNames, canBeDeactivated, choiceOf, Send, useChoice } from "./send";
import { ServiceList } from "./service-list";
import { type Actions, type AskToReactivate, useActions, useReactivation } from "./use-reactivation";

export function DeactivateWebhooks({ site }: { site: SiteView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const draft = useDraft(choiceOf(targetKey(serverOf(site))));
	const actions = useActions(site);
	const reactivate = useReactivation(site, actions);
	// Called once, for all components of this page that show the log.
	useLogComparison(serverOf(site));
	const handle = useOperation("deactivate_webhooks", site, async (run, form: DeactivateWebhooksForm) => {
		actions.forget();
		const ended = await backend.deactivateWebhooks(serverOf(site), run, form);
		// Removes deactivated services from the selection, so that they are not selected again after a reactivation.
		if (ended.kind === "done") {
			const left = ended.report.services.filter(({ problem, notSent }) => problem !== null || notSent);
			draft.keep(left.length === 0 ? null : { chosen: left.map(({ service }) => service), reason: form.why });
		}
		return ended;
	});
	return (
		<>
			<OperationScreen
				operation="deactivate_webhooks"
				site={site}
				handle={handle}
				width="wide"
				above={
					<>
						<OneWebhookEnd site={site} deactivateOne={actions.deactivateOne} />
						<ReactivationResults site={site} actions={actions} reactivate={reactivate} />
					</>
				}
				form={
					<>
						<Form site={site} handle={handle} actions={actions} reactivate={reactivate} />
						<LogLink site={site} reactivate={reactivate} />
					</>
				}
				report={(done) => <Report site={site} done={done} actions={actions} reactivate={reactivate} />}
				findOut={() => t("unknown")}
				again={t("again")}
			/>
			{reactivate.dialog}
		</>
	);
}

function OneWebhookEnd({ site, deactivateOne }: { site: SiteView; deactivateOne: Actions["deactivateOne"] }) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const { state, reset } = deactivateOne;
	if (state.kind === "idle" || state.kind === "running") return null;
	const said = () => {
		if (state.kind === "failed") return <ProblemNotice problem={state.problem} outcome={state.outcome} />;
		const { webhook, service } = state.form;
		const about = { webhook: webhook.name, service: service.path, site: target };
		if (state.kind === "notSent") return <Outcome outcome="notSent" title={t("one.notSent", about)} />;
		const isDone = state.kind === "done";
		const record = "record" in state ? state.record : null;
		return (
			<>
				<Outcome outcome={isDone ? "succeeded" : "unknown"} title={t(isDone ? "one.done" : "one.unknown", about)} />
				{record === null ? <NotRecorded /> : null}
			</>
		);
	};
	return (
		<Stack gap="xs">
			{said()}
			<HideResult onHide={reset} />
		</Stack>
	);
}

interface FormProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
	actions: Actions;
	reactivate: AskToReactivate;
}

function Form({ site, handle, actions, reactivate }: FormProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const queries = useQueryClient();
	const services = useServices(serverOf(site));
	if (services.isPending) return <LoadingRows rows={6} />;
	if (!services.data) {
		return (
			<Stack>
				<ProblemNotice problem={services.error} onRetry={() => void services.refetch()} />
				<ByName site={site} handle={handle} />
			</Stack>
		);
	}
	if (services.data.length === 0) {
		return (
			<EmptyState icon={IconWebhook} title={t("empty")}>
				{t("emptyBody")}
			</EmptyState>
		);
	}
	return (
		<>
			<ProblemNotice problem={services.error} onRetry={() => void services.refetch()} />
			<FromList
				site={site}
				handle={handle}
				actions={actions}
				reactivate={reactivate}
				list={services}
				services={services.data}
				// The deactivation log is compared with the services, too.
				refresh={() => rereadServices(queries, serverOf(site))}
				refreshing={services.isFetching}
			/>
		</>
	);
}

function FromList({
	site,
	handle,
	actions,
	reactivate: { ask, busy },
	list,
	services,
	refresh,
	refreshing,
}: FormProps & {
	list: UseQueryResult<ServiceView[], Problem>;
	services: ServiceView[];
	refresh: () => void;
	refreshing: boolean;
}) {
	const { t } = useTranslation("deactivateWebhooks");
	const choice = useChoice(site);
	const narrow = useBrought(site.id, "deactivate_webhooks").brought?.narrow ?? "";
	const chosen = useMemo(() => {
		// A selected service might have been deactivated since.
		const held = new Set(choice.paths);
		return services
			.filter((service) => held.has(service.path) && canBeDeactivated(service))
			.map((service) => ({ path: service.path, active: activeNames(service) }));
	}, [services, choice.paths]);
	const reactivate = useMemo(() => ({ ask, busy }), [ask, busy]);
	const paths = useMemo(() => chosen.map(({ path }) => path), [chosen]);
	const selectable = new Set(services.filter(canBeDeactivated).map(({ path }) => path));
	const left = choice.sent.filter((path) => !selectable.has(path)).length;
	return (
		<Stack>
			<PreviousValues site={site} operation="deactivate_webhooks" onFill={choice.fill} />
			{left === 0 ? null : <Text role="status">{t("notSelected", { count: left })}</Text>}
			<ServiceList
				key={narrow}
				narrow={narrow}
				site={site}
				actions={actions}
				reactivate={reactivate}
				services={services}
				ticked={paths}
				onTick={choice.choose}
				refresh={refresh}
				refreshing={refreshing}
			/>
			<Send site={site} handle={handle} choice={choice} list={list} chosen={chosen} first={t("choose")} />
			<Small>
				{t("asOn", {
					server: serverNameOf("deactivate_webhooks", site) ?? site.name,
					at: formatTime(list.dataUpdatedAt),
				})}{" "}
				{t("deliveries.hint")}
			</Small>
		</Stack>
	);
}

interface ByNameProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
}

/** Form for a server that does not list its services: the user enters their names. */
function ByName({ site, handle }: ByNameProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const choice = useChoice(site);
	return (
		<Stack maw={pageWidths.form}>
			<Text>{t("byName.hint")}</Text>
			<PreviousValues site={site} operation="deactivate_webhooks" onFill={choice.fill} />
			<TagsInput
				label={t("services")}
				description={t("byName.servicesHint")}
				acceptValueOnBlur
				// Names can contain commas.
				splitChars={["\n"]}
				isDuplicate={(path, others) => others.includes(path)}
				value={choice.paths}
				onChange={choice.choose}
			/>
			<Send
				site={site}
				handle={handle}
				choice={choice}
				list={null}
				chosen={choice.paths.map((path) => ({ path, active: null }))}
				first={t("byName.first")}
			/>
		</Stack>
	);
}
