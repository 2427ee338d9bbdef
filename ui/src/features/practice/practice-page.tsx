import { useTranslation } from "react-i18next";
import { Page } from "@/components/page";
import { ActiveFaults } from "./active-faults";
import { FaultForm } from "./fault-form";
import { GuidedTourOffer } from "./guided-tour-offer";
import { OwnSignIn } from "./own-sign-in";
import { PractiseRehearsals } from "./practise-rehearsals";
import { ResetPractice } from "./reset-practice";
import { SimulateChanges } from "./simulate-changes";
import { SiteFiles } from "./site-files";

export function PracticePage() {
	const { t } = useTranslation("faultInjection");
	return (
		<Page title={t("title")} description={t("description")}>
			<ActiveFaults />
			<FaultForm />
			<SimulateChanges />
			<PractiseRehearsals />
			<GuidedTourOffer />
			<SiteFiles />
			<OwnSignIn />
			<ResetPractice />
		</Page>
	);
}
