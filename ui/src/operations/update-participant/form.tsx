import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import {
	type Backend,
	type ContactsFileReading,
	type DroppedFile,
	type NewRun,
	type ParticipantView,
	type RunResult,
	type SiteView,
	type UpdateParticipantForm,
	useBackend,
} from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { OperationScreen } from "@/components/operation-screen";
import { pageWidths } from "@/components/page";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview } from "@/components/request-preview";
import { InputTabs } from "@/components/step";
import { ChangeButton, SubmitForm } from "@/components/submit-form";
import { asOne, asSeveral, recordsOf } from "@/lib/batch-status";
import { draftKey, labelled, useDraft, useFormFaults, useSessionState } from "@/lib/drafts";
import { useBrought } from "@/lib/navigation";
import { useParticipants } from "@/lib/queries/site";
import { leftForm, type OperationHandle, useOperation } from "@/lib/runs";
import { useFileForForm } from "@/lib/use-file-for-form";
import { useKeptForm } from "@/lib/use-kept-form";
import { contactDraft } from "./contact-form";
import { ContactsFilePanel } from "./contacts-file";
import {
	AskNoDot,
	contactOf,
	Difference,
	errorsOf,
	focusFirst,
	formOf,
	type Order,
	type Result,
	sentIn,
} from "./difference";
import { ParticipantList } from "./participant-list";
import { ContactsFileReport, Report } from "./report";

const droppedOf = draftKey<DroppedFile>();
const readingOf = draftKey<ContactsFileReading | null>();

type Way = "list" | "sheet" | "identifier";

const wayOf = draftKey<Way | null>();
const pickedOf = draftKey<ParticipantView | null>();

export function UpdateParticipant({ site }: { site: SiteView }) {
	const { t } = useTranslation("updateParticipant");
	const backend = useBackend();
	const { brought, toFill, take } = useBrought(site.id, "update_participant");
	const [wanted, setWay] = useSessionState(brought ? null : wayOf(site.id), null);
	const [picked, setPicked] = useSessionState(pickedOf(site.id), null);
	const [reading, setReading] = useSessionState(readingOf(site.id), null);
	const choose = useMutation({
		// In one scope, so that the file selected last wins, however long each takes to read.
		scope: { id: `${site.id} contacts file` },
		mutationFn: (path: string | null) => backend.readContactsFile(site.id, path),
		onSuccess: (read) => read.kind !== "dismissed" && setReading(read),
	});
	const participants = useParticipants(site.id);
	// A history entry passes IDs. Their participant is selected in the list; the form for IDs opens only if it is not
	// listed.
	const sent = sentIn(brought?.parameters ?? []);
	const listed = participants.data?.find(
		(one) => one.participantId === sent.participantId && one.collaborationId === sent.collaborationId,
	);
	const way = wanted ?? (brought && !listed && !participants.isPending ? "identifier" : "list");
	const draft = useDraft(contactDraft(site.id, sent));
	const pick = useEffectEvent((participant: ParticipantView) => {
		draft.keep(contactOf(sent));
		setPicked(participant);
		take();
	});
	useEffect(() => {
		if (toFill && listed) pick(listed);
	}, [toFill, listed]);
	const handle = useOperation<Result, Order>("update_participant", site, (run, order) =>
		send(backend, site, run, order),
	);
	const namesOf = ({ participantId, collaborationId }: UpdateParticipantForm) => {
		const listed = participants.data?.find(
			(one) => one.participantId === participantId && one.collaborationId === collaborationId,
		);
		return {
			portal: listed?.portalName ?? participantId,
			collaboration: listed?.collaborationName || collaborationId,
		};
	};
	const back = () => {
		// After a run, the comparison is outdated.
		if (handle.state.kind === "done" && handle.state.form.kind === "batch") setReading(null);
		handle.reset();
	};
	useDroppedSheet(site, { state: handle.state, reset: back }, (path) => {
		setWay("sheet");
		choose.mutate(path);
	});
	return (
		<OperationScreen
			operation="update_participant"
			site={site}
			handle={{ ...handle, reset: back }}
			width="wide"
			form={
				<InputTabs
					way={way}
					onWay={setWay}
					ways={[
						{
							way: "list",
							label: t("method.list"),
							form: (
								<ParticipantList
									site={site}
									handle={handle}
									// The contact form must mount with the passed contact as its initial values.
									picked={toFill ? null : picked}
									onPick={setPicked}
									onByIdentifier={() => setWay("identifier")}
								/>
							),
						},
						{
							way: "sheet",
							label: t("method.contactsFile"),
							form: <ContactsFilePanel site={site} handle={handle} reading={reading} choose={choose} />,
						},
						{
							way: "identifier",
							label: t("method.identifier"),
							form: <ByIdentifier site={site} handle={handle} />,
						},
					]}
				/>
			}
			report={({ at, form, report }) =>
				form.kind === "batch" && report.kind === "batch" ? (
					<ContactsFileReport
						site={site}
						at={at}
						changes={form.changes}
						report={report.report}
						onAgain={(changes, reason) => handle.start({ kind: "batch", changes }, reason)}
					/>
				) : form.kind === "one" && report.kind === "one" ? (
					<Report at={at} form={form.form} report={report.report} before={form.before} names={namesOf(form.form)} />
				) : null
			}
			records={recordsOf}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

async function send(backend: Backend, site: SiteView, run: NewRun, order: Order): Promise<RunResult<Result>> {
	return order.kind === "one"
		? asOne(await backend.updateParticipant(site.id, run, order.form))
		: asSeveral(await backend.updateParticipants(site.id, run, order.changes.map(formOf)));
}

/**
 * Reads a dropped contacts file. A file dropped during a run is read when the form is shown again, because it is
 * compared with the contacts at that time.
 */
function useDroppedSheet(
	site: SiteView,
	handle: Pick<OperationHandle<Result, Order>, "state" | "reset">,
	read: (path: string) => void,
): void {
	const waiting = useDraft(droppedOf(site.id));
	const { kind } = handle.state;
	const atForm = kind !== "running" && kind !== "done" && kind !== "unknown";
	useFileForForm("contactsFile", handle, (file) => {
		if (kind === "running") waiting.keep(file);
		else read(file.path);
	});
	const readWaiting = useEffectEvent(() => {
		const file = waiting.kept;
		waiting.keep(null);
		if (file) read(file.path);
	});
	useEffect(() => {
		if (atForm) readWaiting();
	}, [atForm]);
}

const draftOf = draftKey<UpdateParticipantForm>();

/** Form for a portal that does not list participants: the user enters the IDs. */
function ByIdentifier({ site, handle }: { site: SiteView; handle: OperationHandle<Result, Order> }) {
	const { t } = useTranslation("updateParticipant");
	const [asked, { open, close }] = useDisclosure();
	const order = leftForm(handle.state);
	const left = order?.kind === "one" ? order.form : null;
	// Later corrections in the draft take precedence over the sent form; sending clears the draft.
	const form = useKeptForm(draftOf(site.id), { initialValues: left ?? sentIn([]), validate: errorsOf });
	useFormFaults(handle.problem, form);
	const { participantId, collaborationId } = form.values;
	return (
		<SubmitForm onSubmit={form.onSubmit(open, (errors) => focusFirst(form, errors))}>
			<Stack maw={pageWidths.form}>
				<Text>{t("identifierHint")}</Text>
				<PreviousValues site={site} operation="update_participant" onFill={(sent) => form.setValues(sentIn(sent))} />
				<TextInput label={t("collaborationId")} {...form.getInputProps("collaborationId")} />
				<TextInput {...labelled(t, "participantId")} {...form.getInputProps("participantId")} />
				<Group grow align="flex-start">
					<TextInput label={t("contactFirstname")} {...form.getInputProps("contactFirstname")} />
					<TextInput label={t("contactLastname")} {...form.getInputProps("contactLastname")} />
				</Group>
				<TextInput type="email" label={t("contactEmailAddress")} {...form.getInputProps("contactEmailAddress")} />
				<Text c="dimmed">{t("permission")}</Text>
				<RequestPreview site={site} form={{ operation: "update_participant", form: [form.values] }} />
				<Group>
					<ChangeButton site={site} type="submit">
						{t("submitIdentifier")}
					</ChangeButton>
				</Group>
			</Stack>
			<ConfirmDialog
				opened={asked}
				onClose={close}
				site={site}
				title={t("confirmTitle", { portal: participantId, collaboration: collaborationId })}
				confirm={t("confirm")}
				onConfirm={(_, reason) => {
					form.forget();
					handle.start({ kind: "one", form: form.values, before: null }, reason);
				}}
			>
				<Text>{t("presentUnknown", { site: site.name })}</Text>
				<Difference present={null} wanted={form.values} />
				<AskNoDot addresses={[form.values.contactEmailAddress]} />
			</ConfirmDialog>
		</SubmitForm>
	);
}
