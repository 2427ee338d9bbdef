import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Contact, UpdateParticipantForm } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";
import { DifferenceLines } from "./difference";
import { nameOf } from "./order";

interface ReportProps {
	at: number;
	form: UpdateParticipantForm;
	/** `null` if the portal did not list the participant. */
	before: Contact | null;
	names: { portal: string; collaboration: string };
}

export function Report({ at, form, before, names }: ReportProps) {
	const { t } = useTranslation("updateParticipant");
	return (
		<Outcome outcome="succeeded" title={t("done", names)}>
			<DoneAt at={at} />
			<Text mod="anywhere">{t("contactNow", { name: nameOf(form), address: form.contactEmailAddress })}</Text>
			{before ? <DifferenceLines present={before} wanted={form} /> : null}
		</Outcome>
	);
}
