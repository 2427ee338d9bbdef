import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import {
	type Backend,
	type NewRun,
	type RefreshInvitationForm,
	type RunResult,
	type SiteView,
	useBackend,
} from "@/bridge";
import { OperationScreen } from "@/components/operation-screen";
import { pageWidths } from "@/components/page";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview } from "@/components/request-preview";
import { InputTabs } from "@/components/step";
import { ChangeButton, SubmitForm } from "@/components/submit-form";
import { asOne, asSeveral, recordsOf } from "@/lib/batch-status";
import { draftKey, faultOf, useDraft, useFormFaults, useSessionState } from "@/lib/drafts";
import { parameterOf } from "@/lib/history-text";
import { useBrought } from "@/lib/navigation";
import { leftForm, type OperationHandle, useOperation } from "@/lib/runs";
import { useKeptForm } from "@/lib/use-kept-form";
import { Confirm, formOf, type Order, type Result } from "./confirm";
import { InvitationList } from "./invitation-list";
import { FolderReport, Report } from "./report";
import { UnsavedInvitations } from "./unsaved-invitations";

type Way = "list" | "identifier";

const wayOf = draftKey<Way | null>();
const pickedOf = draftKey<ReadonlySet<string>>();
const nobody: ReadonlySet<string> = new Set();

export function RefreshInvitation({ site }: { site: SiteView }) {
	const { t } = useTranslation("refreshInvitation");
	const backend = useBackend();
	// Show the tab for IDs if a history entry passed the IDs of an invitation.
	const { brought } = useBrought(site.id, "refresh_invitation");
	const [wanted, setWay] = useSessionState(brought ? null : wayOf(site.id), null);
	const way = wanted ?? (brought ? "identifier" : "list");
	// The selection outlives the page and a rejected request.
	const [picked, setPicked] = useSessionState(pickedOf(site.id), nobody);
	const kept = useDraft(pickedOf(site.id));
	const pick = (keys: readonly string[], add: boolean) =>
		setPicked((before) => new Set([...before].filter((key) => !keys.includes(key)).concat(add ? keys : [])));
	const handle = useOperation<Result, Order>("refresh_invitation", site, async (run, order) => {
		const ended = await send(backend, site, run, order);
		// Clears the stored selection, so that refreshed invitations are not selected again.
		if (ended.kind === "done") kept.keep(null);
		return ended;
	});
	const back = () => {
		if (handle.state.kind === "done") setPicked(nobody);
		handle.reset();
	};
	return (
		<OperationScreen
			operation="refresh_invitation"
			site={site}
			handle={{ ...handle, reset: back }}
			width="wide"
			above={<UnsavedInvitations site={site} />}
			form={
				<InputTabs
					way={way}
					onWay={setWay}
					ways={[
						{
							way: "list",
							label: t("method.list"),
							form: (
								<InvitationList
									site={site}
									handle={handle}
									picked={picked}
									onPick={pick}
									onPickNone={() => setPicked(nobody)}
									onByIdentifier={() => setWay("identifier")}
								/>
							),
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
					<FolderReport
						site={site}
						at={at}
						invitations={form.invitations}
						report={report.report}
						onAgain={(invitations, reason) => handle.start({ kind: "batch", invitations }, reason)}
					/>
				) : form.kind === "one" && report.kind === "one" ? (
					<Report site={site.id} at={at} report={report.report} invitation={form.invitation} />
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
		? asOne(await backend.refreshInvitation(site.id, run, order.form))
		: asSeveral(await backend.refreshInvitations(site.id, run, order.invitations.map(formOf)));
}

const draftOf = draftKey<RefreshInvitationForm>();

/** Form for a portal that does not list invitations: the user enters the IDs. */
function ByIdentifier({ site, handle }: { site: SiteView; handle: OperationHandle<Result, Order> }) {
	const { t } = useTranslation(["refreshInvitation", "common"]);
	const [asked, { open, close }] = useDisclosure();
	const order = leftForm(handle.state);
	const left = order?.kind === "one" ? order.form : null;
	const required = (value: string) => (value.trim() === "" ? faultOf("required") : null);
	const form = useKeptForm(draftOf(site.id), {
		// Later corrections in the draft take precedence over the sent form; sending clears the draft.
		initialValues: left ?? { collaborationId: "", invitationId: "" },
		validate: { collaborationId: required, invitationId: required },
	});
	useFormFaults(handle.problem, form);
	const submit = (reason: string) => {
		const { collaborationId, invitationId } = form.values;
		const wanted = { collaborationId: collaborationId.trim(), invitationId: invitationId.trim() };
		form.forget();
		handle.start({ kind: "one", form: wanted, invitation: null }, reason);
	};
	return (
		<SubmitForm onSubmit={form.onSubmit(open)}>
			<Stack maw={pageWidths.form}>
				<Text>{t("identifierHint")}</Text>
				<PreviousValues
					site={site}
					operation="refresh_invitation"
					onFill={(sent) =>
						form.setValues({
							collaborationId: parameterOf(sent, "collaborationId"),
							invitationId: parameterOf(sent, "invitationId"),
						})
					}
				/>
				<TextInput label={t("collaborationId")} {...form.getInputProps("collaborationId")} />
				<TextInput label={t("invitationId")} {...form.getInputProps("invitationId")} />
				<Text>{t("explain")}</Text>
				<Text c="dimmed">{t("permission")}</Text>
				<RequestPreview site={site} form={{ operation: "refresh_invitation", form: [form.values] }} />
				<Group>
					<ChangeButton site={site} type="submit">
						{t("submit")}
					</ChangeButton>
				</Group>
			</Stack>
			<Confirm opened={asked} onClose={close} site={site} invitations={[]} onConfirm={submit} />
		</SubmitForm>
	);
}
