import { Button, Group, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type ParticipantView,
	type SiteView,
	type UpdateParticipantForm,
	type UpdateReport,
	useBackend,
} from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { LoadingRows } from "@/components/loading-rows";
import { OperationScreen } from "@/components/operation-screen";
import { ProblemNotice } from "@/components/problem-notice";
import { useParticipants } from "@/lib/queries";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { ContactForm } from "./contact-form";
import { nameOf, ParticipantTable } from "./participant-table";
import { Report } from "./report";

export function UpdateParticipant({ site }: { site: SiteView }) {
	const { t } = useTranslation("updateParticipant");
	const backend = useBackend();
	const [picked, setPicked] = useState<string | null>(null);
	const participants = useParticipants(site.id);
	const handle = useOperation("update_participant", site, (run, form: UpdateParticipantForm) =>
		backend.updateParticipant(site.id, run, form),
	);
	const portalOf = (id: string) => participants.data?.find((one) => one.participantId === id)?.portalName ?? id;
	return (
		<OperationScreen
			operation="update_participant"
			site={site}
			handle={handle}
			width="full"
			form={<Form site={site} handle={handle} picked={picked} onPick={setPicked} />}
			report={(done) => <Report done={done} portal={portalOf(done.form.participantId)} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

interface FormProps {
	site: SiteView;
	handle: OperationHandle<UpdateReport, UpdateParticipantForm>;
	/** The participant's place in the list, as `nameOf` says it. */
	picked: string | null;
	onPick: (name: string) => void;
}

function Form({ site, handle, picked, onPick }: FormProps) {
	const { t } = useTranslation("updateParticipant");
	const participants = useParticipants(site.id);
	if (participants.isPending) return <LoadingRows rows={5} />;
	if (participants.error) {
		return <ProblemNotice problem={participants.error} onRetry={() => void participants.refetch()} />;
	}
	if (participants.data.length === 0) {
		return (
			<EmptyState icon={IconUsers} title={t("empty")}>
				{t("emptyBody")}
			</EmptyState>
		);
	}
	const participant: ParticipantView | undefined = participants.data.find((one) => nameOf(one) === picked);
	return (
		<Stack>
			<ParticipantTable participants={participants.data} picked={picked} onPick={onPick} />
			<Group>
				<Button size="xs" variant="default" onClick={() => void participants.refetch()}>
					{t("refresh")}
				</Button>
			</Group>
			{participant ? (
				<ContactForm key={picked} site={site} participant={participant} handle={handle} />
			) : (
				<Text c="dimmed">{t("pickFirst")}</Text>
			)}
		</Stack>
	);
}
