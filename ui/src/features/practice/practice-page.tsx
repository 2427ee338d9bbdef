import { useTranslation } from "react-i18next";
import { Page } from "@/components/page";
import { ArmedMishaps } from "./active-faults";
import { MishapForm } from "./fault-form";
import { LapOffer } from "./guided-tour-offer";
import { OwnSignIn } from "./own-sign-in";
import { ResetPractice } from "./reset-practice";

/** The desk of the practice site: what shall go wrong, and the way back to the beginning. */
export function PracticePage() {
	const { t } = useTranslation("mishaps");
	return (
		<Page title={t("title")} description={t("description")}>
			<ArmedMishaps />
			<MishapForm />
			<LapOffer />
			<OwnSignIn />
			<ResetPractice />
		</Page>
	);
}
