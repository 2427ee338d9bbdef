import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchResult, Contact, SiteView, UpdateParticipantForm, UpdateReport } from "@/bridge";
import { BatchReport } from "@/components/batch-report";
import { ConfirmDialog } from "@/components/dialog";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";

import { TwoLines } from "@/components/wide-table";
import { type ContactChange, contactFields, DifferenceLines, nameOf, useAskChanges } from "./difference";
import { keyOf } from "./participant-table";

interface SheetReportProps {
	site: SiteView;
	at: number;
	changes: readonly ContactChange[];
	report: BatchResult<UpdateReport>;
	onAgain: (changes: readonly ContactChange[], reason: string) => void;
}

export function ContactsFileReport({ site, at, changes, report, onAgain }: SheetReportProps) {
	const { t } = useTranslation("updateParticipant");
	const done = report.parts.filter(({ kind }) => kind === "done").length;
	return (
		<BatchReport
			site={site}
			at={at}
			asked={changes}
			report={report}
			title={t("changed", { done, count: report.parts.length, site: site.name })}
			lost={t("lostOne")}
			table={{
				label: t("resultTable"),
				pages: t("filePages"),
				headings: [t("participant"), t("after")],
				keyOf: ({ participant }) => keyOf(participant),
				cells: ({ participant, contact }) => (
					<>
						<TwoLines main={participant.portalName} second={participant.collaborationName} />
						<TwoLines main={nameOf(contact)} second={contact.contactEmailAddress} />
					</>
				),
			}}
			file={{
				what: t("resultFile"),
				before: [
					[t("collaboration"), ({ participant }) => participant.collaborationName],
					[t("portal"), ({ participant }) => participant.portalName],
					...contactFields.map((field): [string, (change: ContactChange) => string] => [
						t(field),
						({ contact }) => contact[field],
					]),
				],
				after: [
					[t("collaborationId"), ({ participant }) => participant.collaborationId],
					[t("participantId"), ({ participant }) => participant.participantId],
				],
			}}
			again={(rest) => <Again site={site} rest={rest} onAgain={onAgain} />}
		/>
	);
}

interface AgainProps extends Pick<SheetReportProps, "site" | "onAgain"> {
	rest: readonly ContactChange[];
}

function Again({ site, rest, onAgain }: AgainProps) {
	const { t } = useTranslation("updateParticipant");
	const asking = useAskChanges(site, rest);
	const count = rest.length;
	return (
		<Stack gap="xs" align="flex-start">
			<Button variant="filled" loading={asking.isReading} onClick={asking.ask}>
				{t("changeRest", { count })}
			</Button>
			{asking.news}
			<ConfirmDialog
				opened={asking.isAsked}
				onClose={asking.close}
				site={site}
				title={t("changeTitle", { count, site: site.name })}
				confirm={t("change", { count })}
				onConfirm={(_, reason) => onAgain(rest, reason)}
			>
				<Text>{t("restBody", { count })}</Text>
			</ConfirmDialog>
		</Stack>
	);
}

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
