import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateParticipantForm, UpdateReport } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";

interface ReportProps {
	done: Done<UpdateReport, UpdateParticipantForm>;
	portal: string;
}

/** Whose contact it is now. */
export function Report({ done, portal }: ReportProps) {
	const { t } = useTranslation("updateParticipant");
	const { contactFirstname, contactLastname, contactEmailAddress } = done.form;
	return (
		<Outcome outcome="succeeded" title={t("done", { portal })}>
			<DoneAt at={done.at} />
			<Text size="sm" style={{ overflowWrap: "anywhere" }}>
				{`${contactFirstname} ${contactLastname} · ${contactEmailAddress}`}
			</Text>
		</Outcome>
	);
}
