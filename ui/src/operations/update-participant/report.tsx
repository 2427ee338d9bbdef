import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateParticipantForm } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";
import { nameOf } from "./order";

interface ReportProps {
	at: number;
	form: UpdateParticipantForm;
	portal: string;
}

/** Whose contact it is now. */
export function Report({ at, form, portal }: ReportProps) {
	const { t } = useTranslation("updateParticipant");
	return (
		<Outcome outcome="succeeded" title={t("done", { portal })}>
			<DoneAt at={at} />
			<Text size="sm" style={{ overflowWrap: "anywhere" }}>
				{t("contactNow", { name: nameOf(form), address: form.contactEmailAddress })}
			</Text>
		</Outcome>
	);
}
