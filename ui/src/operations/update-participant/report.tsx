import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchResult, Contact, ShownContact, SiteView, UpdateParticipantForm, UpdateReport } from "@/bridge";
import { BatchReport } from "@/components/batch-report";
import { ConfirmDialog } from "@/components/dialog";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";
import { TwoLines } from "@/components/wide-table";
import { dotted } from "@/messages/isolated";
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
	const remarkOf = useRemark();
	const done = report.parts.filter((part) => part.kind === "done" && part.report.shown.kind !== "other").length;
	return (
		<BatchReport
			site={site}
			at={at}
			asked={changes}
			report={report}
			title={t("changed", { done, count: report.parts.length, site: site.name })}
			lost={t("lostOne")}
			remarkOf={remarkOf}
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

/** Returns the text of a row whose contact the portal shows otherwise than it was sent. */
function useRemark(): (report: UpdateReport) => string {
	const { t } = useTranslation("updateParticipant");
	return ({ shown, warnings }) => {
		const other = shown.kind === "other" ? t("shows", { contact: shownContact(shown) }) : null;
		const notRead = shown.kind === "notRead" ? t("notRead") : null;
		return [other, notRead, ...warnings].filter((line) => line !== null).join(" · ");
	};
}

/** Returns a contact as one line. */
function shownContact({ firstname, lastname, email }: Extract<ShownContact, { kind: "other" }>): string {
	return dotted(`${firstname} ${lastname}`.trim(), email) || "–";
}

interface ReportProps {
	at: number;
	form: UpdateParticipantForm;
	report: UpdateReport;
	/** Contact before the update; `null` if the portal did not list the participant. */
	before: Contact | null;
	names: { portal: string; collaboration: string };
}

export function Report({ at, form, report, before, names }: ReportProps) {
	const { t } = useTranslation("updateParticipant");
	const { shown, warnings } = report;
	if (shown.kind === "other") {
		return (
			<Outcome outcome="warnings" title={t("notMade", names)}>
				<DoneAt at={at} />
				<Text mod="anywhere">{t("shows", { contact: shownContact(shown) })}</Text>
				<Warnings of={warnings} />
				<Text>{t("notMadeDo")}</Text>
			</Outcome>
		);
	}
	const isWarned = warnings.length > 0;
	return (
		<Outcome outcome={isWarned ? "warnings" : "succeeded"} title={t(isWarned ? "doneWithWarnings" : "done", names)}>
			<DoneAt at={at} />
			<Text mod="anywhere">{t("contactNow", { name: nameOf(form), address: form.contactEmailAddress })}</Text>
			<Warnings of={warnings} />
			{shown.kind === "notRead" ? <Text>{t("notRead")}</Text> : null}
			{before ? <DifferenceLines present={before} wanted={form} /> : null}
		</Outcome>
	);
}

/** Warnings of the portal, as returned. */
function Warnings({ of }: { of: readonly string[] }) {
	return of.map((warning) => (
		<Text key={warning} mod="anywhere">
			{warning}
		</Text>
	));
}
