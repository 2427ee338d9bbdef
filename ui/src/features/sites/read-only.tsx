import { Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { queryKeys } from "@/lib/queries";
import { useNow } from "@/lib/use-now";

/** Of a read-only site: whether it is locked, and the way to unlock it for a while. */
export function ReadOnly({ site }: { site: SiteView }) {
	const { t } = useTranslation(["sites", "common"]);
	const backend = useBackend();
	const queries = useQueryClient();
	const [reason, setReason] = useState("");
	const now = useNow(10_000);
	const changed = { onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.sites }) };
	const unlock = useMutation({ mutationFn: () => backend.unlockSite(site.id, reason), ...changed });
	const lock = useMutation({ mutationFn: () => backend.lockSite(site.id), ...changed });
	if (!site.readOnly) return null;
	const fault = unlock.error?.kind === "form" ? unlock.error.fault : null;
	const problem = fault ? null : (unlock.error ?? lock.error);
	const unlocked = site.unlockedUntil !== null && site.unlockedUntil > now;
	return (
		<Paper withBorder p="md" maw={960} component="section" aria-label={t("form.readOnly")}>
			{unlocked && site.unlockedUntil !== null ? (
				<Group>
					<Text size="sm" fw={600}>
						{t("readOnly.unlocked", { at: formatTime(site.unlockedUntil) })}
					</Text>
					<Button size="xs" variant="default" loading={lock.isPending} onClick={() => lock.mutate()}>
						{t("readOnly.lock")}
					</Button>
				</Group>
			) : (
				<form
					noValidate
					onSubmit={(event) => {
						event.preventDefault();
						unlock.mutate();
					}}
				>
					<Text size="sm" fw={600}>
						{t("readOnly.locked")}
					</Text>
					<Text size="sm">{t("readOnly.lockedBody")}</Text>
					<Group align="flex-end" mt="xs">
						<TextInput
							flex={1}
							label={t("readOnly.reason")}
							value={reason}
							onChange={(event) => setReason(event.currentTarget.value)}
							error={fault ? t(`common:fault.${fault}`) : null}
						/>
						<Button type="submit" loading={unlock.isPending}>
							{t("readOnly.unlock")}
						</Button>
					</Group>
				</form>
			)}
			{problem ? <ProblemNotice problem={problem} /> : null}
		</Paper>
	);
}
