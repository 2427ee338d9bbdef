import { Button, Group, Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type InvitationView,
	type RefreshInvitationForm,
	type RefreshReport,
	type SiteView,
	useBackend,
} from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { LoadingRows } from "@/components/loading-rows";
import { OperationScreen } from "@/components/operation-screen";
import { ProblemNotice } from "@/components/problem-notice";
import { SentPreview } from "@/components/sent-preview";
import { useInvitations } from "@/lib/queries";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { InvitationTable } from "./invitation-table";
import { KeptInvitations } from "./kept";
import { Report } from "./report";

export function RefreshInvitation({ site }: { site: SiteView }) {
	const { t } = useTranslation("refreshInvitation");
	const backend = useBackend();
	const invitations = useInvitations(site.id);
	// Kept here: the form is taken away while the request runs, and a refusal should not cost the choice.
	const [picked, setPicked] = useState<string | null>(null);
	const handle = useOperation("refresh_invitation", site, (run, form: RefreshInvitationForm) =>
		backend.refreshInvitation(site.id, run, form),
	);
	return (
		<OperationScreen
			operation="refresh_invitation"
			site={site}
			handle={handle}
			width="full"
			form={
				<Stack>
					<KeptInvitations site={site} />
					<Form site={site} handle={handle} picked={picked} onPick={setPicked} />
				</Stack>
			}
			report={(done) => <Report done={done} invitation={byId(invitations.data, done.form.invitationId)} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

interface FormProps {
	site: SiteView;
	handle: OperationHandle<RefreshReport, RefreshInvitationForm>;
	picked: string | null;
	onPick: (id: string) => void;
}

function Form({ site, handle, picked, onPick }: FormProps) {
	const { t } = useTranslation("refreshInvitation");
	const invitations = useInvitations(site.id);
	if (invitations.isPending) return <LoadingRows rows={5} />;
	if (invitations.error) {
		return <ProblemNotice problem={invitations.error} onRetry={() => void invitations.refetch()} />;
	}
	if (invitations.data.length === 0) {
		return (
			<EmptyState icon={IconMail} title={t("empty")}>
				{t("emptyBody")}
			</EmptyState>
		);
	}
	const invitation = byId(invitations.data, picked);
	return (
		<Stack>
			<InvitationTable
				invitations={invitations.data}
				readAt={invitations.dataUpdatedAt}
				picked={picked}
				onPick={onPick}
			/>
			<Group>
				<Button size="xs" variant="default" onClick={() => void invitations.refetch()}>
					{t("refreshList")}
				</Button>
			</Group>
			<Stack maw={720}>
				<Text size="sm">{invitation ? t("explain") : t("pickFirst")}</Text>
				{invitation ? (
					<SentPreview
						site={site}
						path={`/sharing/rest/portals/…/collaborations/${invitation.collaborationId}/invitations/${invitation.invitationId}/refresh`}
						parameters={[]}
					/>
				) : null}
				<Group>
					<Button
						disabled={!invitation}
						onClick={() =>
							invitation &&
							handle.start({
								collaborationId: invitation.collaborationId,
								invitationId: invitation.invitationId,
							})
						}
					>
						{t("submit")}
					</Button>
				</Group>
			</Stack>
		</Stack>
	);
}

function byId(invitations: readonly InvitationView[] | undefined, id: string | null): InvitationView | undefined {
	return invitations?.find(({ invitationId }) => invitationId === id);
}
