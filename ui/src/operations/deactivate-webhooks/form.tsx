import { Stack, Text } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import {
	type DeactivateReport,
	type DeactivateWebhooksForm,
	type ServiceView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { LoadingRows } from "@/components/loading-rows";
import { OperationScreen } from "@/components/operation-screen";
import { PreviousValues } from "@/components/previous-values";
import { ProblemNotice } from "@/components/problem-notice";
import { useDraft } from "@/lib/drafts";
import { useServices } from "@/lib/queries";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { ByName } from "./by-name";
import { DeactivationLog } from "./deactivation-log";
import { Report } from "./report";
import { Send } from "./send";
import { ServiceList } from "./service-list";
import { choiceOf, useChoice } from "./use-choice";
import { useRestore } from "./use-restore";
import { activeNames, mayFallSilent } from "./webhooks";

export function DeactivateWebhooks({ site }: { site: SiteView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const draft = useDraft(choiceOf(site.id));
	const restore = useRestore(site);
	const handle = useOperation("deactivate_webhooks", site, async (run, form: DeactivateWebhooksForm) => {
		// What was restored before may be silent again.
		restore.reset();
		const ended = await backend.deactivateWebhooks(site.id, run, form);
		// What is silent now is done: restored later, it must not be ticked by itself.
		if (ended.kind === "done") {
			const left = ended.report.services.filter(({ problem, notSent }) => problem !== null || notSent);
			draft.keep(left.length === 0 ? null : { chosen: left.map(({ service }) => service), reason: form.why });
		}
		return ended;
	});
	return (
		<OperationScreen
			operation="deactivate_webhooks"
			site={site}
			handle={handle}
			above={<DeactivationLog site={site} restore={restore} />}
			form={<Form site={site} handle={handle} />}
			report={(done) => <Report site={site} done={done} restore={restore} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

interface FormProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
}

function Form({ site, handle }: FormProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const services = useServices(site.id);
	if (services.isPending) return <LoadingRows rows={6} />;
	if (services.error) {
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
		<FromList
			site={site}
			handle={handle}
			services={services.data}
			refresh={() => void services.refetch()}
			refreshing={services.isFetching}
		/>
	);
}

function FromList({
	site,
	handle,
	services,
	refresh,
	refreshing,
}: FormProps & { services: ServiceView[]; refresh: () => void; refreshing: boolean }) {
	const { t } = useTranslation("deactivateWebhooks");
	const choice = useChoice(site);
	// A service may have fallen silent since it was ticked.
	const held = new Set(choice.paths);
	const chosen = services
		.filter((service) => held.has(service.path) && mayFallSilent(service))
		.map((service) => ({ path: service.path, active: activeNames(service) }));
	const paths = chosen.map(({ path }) => path);
	const loud = new Set(services.filter(mayFallSilent).map(({ path }) => path));
	const left = choice.sent.filter((path) => !loud.has(path)).length;
	return (
		<Stack>
			<PreviousValues site={site} operation="deactivate_webhooks" onFill={choice.fill} />
			{left === 0 ? null : (
				<Text size="sm" role="status">
					{t("notTicked", { count: left })}
				</Text>
			)}
			<ServiceList
				services={services}
				ticked={paths}
				onTick={choice.choose}
				refresh={refresh}
				refreshing={refreshing}
			/>
			<Send site={site} handle={handle} choice={choice} chosen={chosen} first={t("choose")} />
		</Stack>
	);
}
