import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OperationKey, SessionView, SiteView } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { HelpLink } from "@/components/help-link";
import { hindranceIcons } from "@/components/hindrance-icon";
import { Page } from "@/components/page";
import { topicOfOperation } from "@/lib/help";
import { useSignInRequest } from "@/lib/sign-in-request";
import { serverNameOf } from "@/lib/target-name";
import { unavailableAdvice, unavailableReason, unavailableText } from "@/lib/unavailable-text";
import { operationUis } from "@/operations";

/** Page of an operation, or the reason why the operation is unavailable. */
export function OperationPage({
	site,
	session,
	operation,
}: {
	site: SiteView;
	session: SessionView;
	operation: OperationKey;
}) {
	const { t } = useTranslation();
	const askToSignIn = useSignInRequest();
	const obstacle = unavailableReason(session, operation);
	if (!obstacle) {
		const { View } = operationUis[operation];
		return <View key={`${site.id} ${operation}`} site={site} session={session} />;
	}
	return (
		<Page
			title={t(`operation.${operation}.nav`)}
			beside={serverNameOf(operation, site)}
			description={t(`operation.${operation}.what`)}
			actions={<HelpLink topic={topicOfOperation(operation)} about={t(`operation.${operation}.nav`)} />}
		>
			<EmptyState
				icon={hindranceIcons[obstacle.kind]}
				title={t(obstacle.kind === "role" ? "obstacle.titleRole" : "obstacle.title")}
				action={
					obstacle.kind === "role" ? <Button onClick={() => askToSignIn(site.id)}>{t("bar.switchUser")}</Button> : null
				}
			>
				{unavailableText(t, obstacle)} {unavailableAdvice(t, obstacle)}
			</EmptyState>
		</Page>
	);
}
