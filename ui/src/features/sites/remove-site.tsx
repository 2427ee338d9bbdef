import { Button, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { DialogForm } from "@/components/dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { fieldFault } from "@/lib/field-fault";
import { formatNumber } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries";
import { useUnshown } from "@/lib/use-unshown";

/** Asks before a site is removed, and says what goes with it and what stays. */
export function RemoveSite({ site, onClose }: { site: SiteView | null; onClose: () => void }) {
	const { t } = useTranslation("sites");
	return (
		<Modal
			opened={site !== null}
			onClose={onClose}
			title={t("remove.title", { site: site?.name ?? "" })}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			{site ? <Question site={site} onClose={onClose} /> : null}
		</Modal>
	);
}

function Question({ site, onClose }: { site: SiteView; onClose: () => void }) {
	const { t } = useTranslation(["sites", "common"]);
	const [reason, setReason] = useState("");
	const backend = useBackend();
	const queries = useQueryClient();
	const { go, leave } = useNavigation();
	const kept = useQuery({
		queryKey: queryKeys.keptInvitations(site.id),
		queryFn: () => backend.listUnsavedInvitations(site.id),
		staleTime: 0,
	});
	const unsaved = kept.data?.length ?? 0;
	const remove = useMutation({
		mutationFn: () => backend.removeSite(site.id, reason),
		onSuccess: async () => {
			leave(site.id);
			queries.removeQueries({ queryKey: ["site", site.id] });
			onClose();
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
		},
	});
	// A read-only one takes its unlock instead, which has a reason of its own.
	const takesReason = site.environment === "production" && !site.readOnly;
	const fault = fieldFault(remove.error, { reason })?.fault;
	const problem = useUnshown(remove.error);
	return (
		<DialogForm
			onClose={onClose}
			confirm={unsaved > 0 ? t("remove.confirmUnsaved", { count: unsaved }) : t("remove.confirm")}
			irreversible
			ready={!kept.isPending}
			busy={remove.isPending}
			onConfirm={() => remove.mutate()}
		>
			<List size="sm" spacing={4}>
				<List.Item>{t("remove.goes")}</List.Item>
				<List.Item>{t("remove.stays")}</List.Item>
				<List.Item>{t("remove.untouched")}</List.Item>
			</List>
			{unsaved > 0 ? (
				<Stack gap="xs" role="alert" align="flex-start">
					<Text size="sm" fw={600}>
						{t("remove.unsaved", { count: unsaved, formatted: formatNumber(unsaved) })}
					</Text>
					<Button
						size="xs"
						variant="default"
						onClick={() => {
							onClose();
							go({ page: "operation", site: site.id, key: "refresh_invitation" });
						}}
					>
						{t("remove.saveFirst")}
					</Button>
				</Stack>
			) : null}
			{takesReason ? (
				<TextInput
					label={t("remove.reason")}
					description={t("remove.reasonHint")}
					data-path="reason"
					value={reason}
					onChange={(event) => setReason(event.currentTarget.value)}
					error={fault ? t(`common:fault.${fault}`) : null}
				/>
			) : null}
			{problem ? <ProblemNotice problem={problem} /> : null}
		</DialogForm>
	);
}
