import { Button, Group, Stack, Text } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
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
import { ProblemNotice } from "@/components/problem-notice";
import { SentPreview } from "@/components/sent-preview";
import { useDraft } from "@/lib/drafts";
import { useServices } from "@/lib/queries";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { Confirm } from "./confirm";
import classes from "./form.module.css";
import { Ledger } from "./ledger";
import { Report } from "./report";
import { ServiceList } from "./service-list";
import { useRestore } from "./use-restore";
import { activeWebhooks, countActive } from "./webhooks";

export function DeactivateWebhooks({ site }: { site: SiteView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const draft = useDraft<string[]>(ticksOf(site));
	const handle = useOperation("deactivate_webhooks", site, async (run, form: DeactivateWebhooksForm) => {
		const ended = await backend.deactivateWebhooks(site.id, run, form);
		// What is silent now is done: restored later, it must not be ticked by itself.
		if (ended.kind === "done") {
			draft.keep(ended.report.services.filter(({ problem }) => problem !== null).map(({ service }) => service));
		}
		return ended;
	});
	const restore = useRestore(site);
	return (
		<OperationScreen
			operation="deactivate_webhooks"
			site={site}
			handle={handle}
			above={<Ledger site={site} restore={restore} />}
			form={<Form site={site} handle={handle} />}
			report={(done) => <Report site={site} done={done} restore={restore} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

const ticksOf = (site: SiteView) => `${site.id} deactivate_webhooks`;

interface FormProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
}

function Form({ site, handle }: FormProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const services = useServices(site.id);
	if (services.isPending) return <LoadingRows rows={6} />;
	if (services.error) return <ProblemNotice problem={services.error} onRetry={() => void services.refetch()} />;
	if (services.data.length === 0) {
		return (
			<EmptyState icon={IconWebhook} title={t("empty")}>
				{t("emptyBody")}
			</EmptyState>
		);
	}
	return (
		<Choice
			site={site}
			handle={handle}
			services={services.data}
			refresh={() => void services.refetch()}
			refreshing={services.isFetching}
		/>
	);
}

function Choice({
	site,
	handle,
	services,
	refresh,
	refreshing,
}: FormProps & { services: ServiceView[]; refresh: () => void; refreshing: boolean }) {
	const { t } = useTranslation("deactivateWebhooks");
	const draft = useDraft<string[]>(ticksOf(site));
	const [ticked, setTicked] = useState<string[]>(draft.kept ?? []);
	const [asking, setAsking] = useState(false);
	// A service may have fallen silent since it was ticked.
	const held = new Set(ticked);
	const chosen = services.filter((service) => held.has(service.path) && activeWebhooks(service).length > 0);
	const paths = chosen.map(({ path }) => path);
	const tick = (services: string[]) => {
		setTicked(services);
		draft.keep(services);
	};
	return (
		<Stack>
			<ServiceList services={services} ticked={paths} onTick={tick} refresh={refresh} refreshing={refreshing} />
			{paths.length === 0 ? null : (
				<SentPreview
					site={site}
					path={paths.map((path) => `/admin/services/${path}/webhooks/deactivateAll`)}
					parameters={[]}
				/>
			)}
			<Group className={classes.bar ?? ""}>
				<Button disabled={chosen.length === 0} onClick={() => setAsking(true)}>
					{t("submit", { count: chosen.length })}
				</Button>
				<Text size="sm" c="dimmed">
					{chosen.length === 0 ? t("choose") : t("willFall", { count: countActive(chosen) })}
				</Text>
			</Group>
			<Confirm
				services={asking ? chosen : []}
				site={site.name}
				onCancel={() => setAsking(false)}
				toType={site.kind === "production" ? site.name : ""}
				onConfirm={(why, confirmation) => {
					setAsking(false);
					handle.start({ services: paths, why, confirmation });
				}}
			/>
		</Stack>
	);
}
