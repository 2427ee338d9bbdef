import { Box, Button } from "@mantine/core";
import { type ReactElement, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { OperationKey, SessionView, SiteView } from "@/bridge";
import { hindranceIcons } from "@/components/hindrance-icon";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { EmptyState, HelpLink, Page } from "@/components/page";
import { PracticeOffer } from "@/features/practice/practice-offer";
import { SiteOverview } from "@/features/sites/overview/site-overview";
import { Welcome } from "@/features/sites/welcome";
import { topicOfOperation } from "@/lib/help";
import { type Place, useNavigation, useSignInRequest } from "@/lib/navigation";
import { usePractice, useSites } from "@/lib/queries/program";
import { serverNameOf } from "@/lib/target";
import { unavailableAdvice, unavailableReason, unavailableText } from "@/lib/use-read-only";
import { whenShown } from "@/lib/when-shown";
import { operationUis } from "@/operations";
import { RequireSignIn } from "./require-sign-in";

const AddSitePage = whenShown(async () => (await import("@/features/sites/adding/add-site-page")).AddSitePage);
const EditSitePage = whenShown(async () => (await import("@/features/sites/edit-site-page")).EditSitePage);
/** Contains the table of sites and profiles, which a start with one site or none does not need. */
const SitesPage = whenShown(async () => (await import("@/features/sites/sites-page")).SitesPage);
const HistoryPage = whenShown(async () => (await import("@/features/history/history-page")).HistoryPage);
const ChangesPage = whenShown(async () => (await import("@/features/changes/changes-page")).ChangesPage);
const PlansPage = whenShown(async () => (await import("@/features/plans/plans-page")).PlansPage);
const EditPlanPage = whenShown(async () => (await import("@/features/plans/editor/edit-plan-page")).EditPlanPage);
const BackupSetPage = whenShown(async () => (await import("@/features/plans/sets/backup-set-page")).BackupSetPage);
const RestorePage = whenShown(async () => (await import("@/features/plans/restore/restore-page")).RestorePage);
const RestoreStep = whenShown(async () => (await import("@/features/plans/restore/restore-step")).RestoreStep);
const RehearsalPage = whenShown(async () => (await import("@/features/plans/rehearsal/rehearsal-page")).RehearsalPage);
const ReceiptPage = whenShown(async () => (await import("@/features/plans/rehearsal/receipt-page")).ReceiptPage);
const PracticePage = whenShown(async () => (await import("@/features/practice/practice-page")).PracticePage);
const GuidedTourPanel = whenShown(async () => (await import("@/features/practice/guided-tour-panel")).GuidedTourPanel);
const SettingsPage = whenShown(async () => (await import("@/features/settings/settings-page")).SettingsPage);
/** Contains the help pages and their renderer, which a start does not need. */
const HelpPage = whenShown(async () => (await import("@/features/help/help-page")).default);
/** Pages that show the panel of the guided tour: it has steps on each of them. */
const tourPages: ReadonlySet<Place["page"]> = new Set([
	"overview",
	"operation",
	"practice",
	"history",
	"changes",
	"plans",
]);

export function Content() {
	const { place, site } = useNavigation();
	const practice = usePractice().data?.site.id;
	return (
		<Box pt={18} pb="xl" px={{ base: 16, md: 24 }}>
			{site && site.id === practice && tourPages.has(place.page) ? (
				<Suspense>
					<GuidedTourPanel site={site} />
				</Suspense>
			) : null}
			<Suspense fallback={<LoadingRows height={64} />}>
				<Screen />
			</Suspense>
		</Box>
	);
}

function Screen() {
	const { place, site } = useNavigation();
	const sites = useSites();
	if (place.page === "help") {
		return <HelpPage topic={place.topic} problem={place.problem} />;
	}
	if (place.page === "settings") return <SettingsPage site={site?.id ?? null} />;
	if (place.page === "history") return <HistoryPage sites={sites.data ?? []} />;
	if (!sites.data) {
		return sites.error ? (
			<ProblemNotice problem={sites.error} onRetry={() => void sites.refetch()} />
		) : (
			<LoadingRows height={96} />
		);
	}
	if (place.page === "add-site") return <AddSitePage />;
	if (sites.data.length === 0) return <Welcome practiceOffer={<PracticeOffer prominent />} />;
	const allSites = <SitesPage sites={sites.data} practiceOffer={<PracticeOffer />} />;
	if (place.page === "sites") return allSites;
	if (!site) return allSites;
	if (place.page === "edit-site") {
		return <EditSitePage key={`${site.id} ${place.copy}`} site={site} copy={place.copy ?? false} />;
	}
	// Plans need no session: their sets are on this computer, and their pages state which sign-ins are missing.
	switch (place.page) {
		case "plans":
			return <PlansPage key={site.id} site={site} chosen={place.plan ?? null} />;
		case "edit-plan":
			return <EditPlanPage key={`${site.id} ${place.plan}`} site={site} plan={place.plan ?? null} />;
		case "backup-set":
			return place.restore ? (
				<RestorePage key={`${place.plan} ${place.set}`} site={site} plan={place.plan} set={place.set} />
			) : (
				<BackupSetPage key={`${place.plan} ${place.set}`} site={site} plan={place.plan} set={place.set} />
			);
		case "rehearsal":
			return <RehearsalPage key={`${site.id} ${place.set}`} site={site} plan={place.plan} set={place.set} />;
		case "receipt":
			return <ReceiptPage key={place.record} site={site} record={place.record} />;
	}
	return (
		<RequireSignIn key={site.id} site={site}>
			{(session): ReactElement => {
				switch (place.page) {
					case "operation":
						return (
							<>
								<Suspense>
									{place.ofSet ? <RestoreStep site={site} server={place.server} ofSet={place.ofSet} /> : null}
								</Suspense>
								<OperationPage site={site} session={session} operation={place.key} />
							</>
						);
					case "practice":
						return <PracticePage />;
					case "changes":
						return <ChangesPage key={place.import} site={site} imported={place.import} />;
					case "overview":
						return <SiteOverview site={site} session={session} services={place.services} />;
				}
			}}
		</RequireSignIn>
	);
}

/** Page of an operation, or the reason why the operation is unavailable. */
function OperationPage({
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
