import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { NotRecorded } from "@/components/not-recorded";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import type { DeactivateOne } from "./use-deactivate-one";

/** What came of the deactivation of a single webhook. */
export function OneWebhookEnd({ site, deactivateOne }: { site: SiteView; deactivateOne: DeactivateOne }) {
	const { t } = useTranslation("deactivateWebhooks");
	const { data, error, variables } = deactivateOne;
	if (error) return <ProblemNotice problem={error} />;
	if (!data || !variables) return null;
	const about = { webhook: variables.webhook.name, service: variables.service.path, site: site.name };
	if (data.kind === "notSent") return <Outcome outcome="notSent" title={t("one.notSent", about)} />;
	const isDone = data.kind === "done";
	const record = "record" in data ? data.record : null;
	return (
		<>
			<Outcome outcome={isDone ? "succeeded" : "unknown"} title={t(isDone ? "one.done" : "one.unknown", about)} />
			{record === null ? <NotRecorded /> : null}
		</>
	);
}
