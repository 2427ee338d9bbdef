import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ProblemNotice } from "@/components/problem-notice";
import { Card } from "@/components/section";
import { useGuidedTour } from "@/lib/queries/program";
import { useGuidedTourAction } from "./use-guided-tour";

/** Offers the guided tour if it has not started or was ended. */
export function GuidedTourOffer() {
	const { t } = useTranslation("guidedTour");
	const tour = useGuidedTour().data;
	const begin = useGuidedTourAction((backend) => backend.startTour());
	if (tour?.begun !== null) return null;
	return (
		<Card title={t("offer.title")} align="flex-start">
			<Text>{t("offer.body")}</Text>
			<Button loading={begin.isPending} onClick={() => begin.mutate()}>
				{t("begin")}
			</Button>
			{begin.error ? <ProblemNotice problem={begin.error} /> : null}
		</Card>
	);
}
