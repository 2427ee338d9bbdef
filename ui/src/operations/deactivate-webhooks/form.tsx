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
import { Ledger, type Restore, useRestore } from "./ledger";
import { Report } from "./report";
import { activeWebhooks, ServiceList } from "./service-list";

export function DeactivateWebhooks({ site }: { site: SiteView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const handle = useOperation("deactivate_webhooks", site, (run, form: DeactivateWebhooksForm) =>
		backend.deactivateWebhooks(site.id, run, form),
	);
	const restore = useRestore(site);
	return (
		<OperationScreen
			operation="deactivate_webhooks"
			site={site}
			handle={handle}
			form={<Form site={site} handle={handle} restore={restore} />}
			report={(done) => <Report site={site} done={done} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

interface FormProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
	restore: Restore;
}

function Form({ site, handle, restore }: FormProps) {
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
			restore={restore}
			services={services.data}
			refresh={() => void services.refetch()}
		/>
	);
}

function Choice({
	site,
	handle,
	restore,
	services,
	refresh,
}: FormProps & { services: ServiceView[]; refresh: () => void }) {
	const { t } = useTranslation("deactivateWebhooks");
	const draft = useDraft<string[]>(`${site.id} deactivate_webhooks`);
	const [ticked, setTicked] = useState<string[]>(draft.kept ?? []);
	const [asking, setAsking] = useState(false);
	// A service may have fallen silent since it was ticked.
	const chosen = services.filter((service) => ticked.includes(service.path) && activeWebhooks(service).length > 0);
	const paths = chosen.map(({ path }) => path);
	const tick = (services: string[]) => {
		setTicked(services);
		draft.keep(services);
	};
	return (
		<Stack>
			<Ledger site={site} restore={restore} />
			<ServiceList services={services} ticked={paths} onTick={tick} refresh={refresh} />
			{paths.length === 0 ? null : (
				<SentPreview
					site={site}
					path={paths.map((path) => `/admin/services/${path}/webhooks/deactivateAll`)}
					parameters={[]}
				/>
			)}
			<Group>
				<Button disabled={chosen.length === 0} onClick={() => setAsking(true)}>
					{t("submit", { count: chosen.length })}
				</Button>
				{chosen.length === 0 ? (
					<Text size="sm" c="dimmed">
						{t("choose")}
					</Text>
				) : null}
			</Group>
			<Confirm
				services={asking ? chosen : []}
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
