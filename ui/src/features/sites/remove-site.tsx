import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/notice";
import { Lines } from "@/components/text";
import { useNavigation } from "@/lib/navigation";
import { operationFor, useOperationUis } from "@/lib/operation-ui";
import { forgetSite } from "@/lib/queries/program";
import { useUnsavedInvitations } from "@/lib/queries/site";
import { targetOf } from "@/lib/target";
import { useStale } from "@/lib/use-command";
import { faultText, labelled, useFormFaults } from "@/lib/use-form-faults";

/** Confirmation before a site is removed, with what is removed and what stays. */
export function RemoveSite({ site, onClose }: { site: SiteView | null; onClose: () => void }) {
	return site ? <Question key={site.id} site={site} onClose={onClose} /> : null;
}

function Question({ site, onClose }: { site: SiteView; onClose: () => void }) {
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const [reason, setReason] = useState("");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const uis = useOperationUis();
	const { go, leave } = useNavigation();
	const kept = useUnsavedInvitations(site.id, { staleTime: 0 });
	const unsaved = kept.data?.length ?? 0;
	const remove = useMutation({
		mutationFn: () => backend.removeSite(site.id, reason),
		onSuccess: async () => {
			leave(site.id);
			forgetSite(queries, site.id);
			onClose();
			await stale("removeSite");
		},
	});
	// A read-only site must be unlocked first, and the unlock has a reason of its own.
	const takesReason = site.environment === "production" && !site.readOnly;
	const problem = useFormFaults(remove.error);
	return (
		<Dialog
			opened
			onClose={onClose}
			title={t("remove.title", { site: site.name })}
			confirm={unsaved > 0 ? t("remove.confirmUnsaved", { count: unsaved }) : t("remove.confirm")}
			irreversible
			ready={!kept.isPending}
			busy={remove.isPending}
			onConfirm={() => remove.mutate()}
		>
			<Lines spacing={4} lines={[t("remove.goes"), t("remove.stays"), t("remove.untouched")]} />
			{unsaved > 0 ? (
				<Stack gap="xs" role="alert" align="flex-start">
					<Text fw={600}>{t("remove.unsaved", { count: unsaved })}</Text>
					<Button
						onClick={() => {
							onClose();
							const key = operationFor(uis, "unsavedInvitations");
							go({ page: "operation", ...targetOf(key, site), key });
						}}
					>
						{t("remove.saveFirst")}
					</Button>
				</Stack>
			) : null}
			{takesReason ? (
				<TextInput
					{...labelled(t, "remove.reason")}
					data-path="reason"
					value={reason}
					onChange={(event) => setReason(event.currentTarget.value)}
					error={faultText(common, remove.error, "reason")}
				/>
			) : null}
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Dialog>
	);
}
