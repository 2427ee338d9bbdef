import { Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { SubmitForm, unlockField } from "@/components/submit-form";
import { faultText, useFormFaults } from "@/lib/drafts";
import { formatDuration, formatTime, useNow } from "@/lib/format";
import { useCommand } from "@/lib/use-command";
import { unlockedUntil } from "@/lib/use-read-only";
import { CommandButton } from "./notice";

/** State of a read-only site, with the form that unlocks it for a time. */
export function ReadOnly({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const now = useNow(1_000);
	if (!site.readOnly) return null;
	const until = unlockedUntil(site, now);
	return (
		<Paper withBorder p="md" component="section" aria-label={t("form.readOnly")}>
			{until !== null ? <Unlocked site={site} until={until} now={now} /> : <Locked site={site} />}
		</Paper>
	);
}

function Unlocked({ site, until, now }: { site: SiteView; until: Millis; now: Millis }) {
	const { t } = useTranslation("sites");
	const lock = useCommand((backend) => backend.lockSite(site.id), ["lockSite"]);
	return (
		<Stack gap="xs">
			<Group gap="sm">
				<IconLockOpen size={18} stroke={1.5} aria-hidden />
				<Text fw={600}>{t("readOnly.unlocked", { at: formatTime(until) })}</Text>
				<Text role="timer" aria-label={t("readOnly.left")}>
					{t("readOnly.timer", { left: formatDuration(until - now) })}
				</Text>
				<CommandButton command={lock} label={t("readOnly.lock")} />
			</Group>
			<ProblemNotice problem={lock.error} />
		</Stack>
	);
}

function Locked({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const [reason, setReason] = useState("");
	const unlock = useCommand((backend) => backend.unlockSite(site.id, reason), ["unlockSite"]);
	const problem = useFormFaults(unlock.error);
	return (
		<SubmitForm
			onSubmit={(event) => {
				event.preventDefault();
				unlock.mutate();
			}}
		>
			<Group gap="sm">
				<IconLock size={18} stroke={1.5} aria-hidden />
				<Text fw={600}>{t("readOnly.locked")}</Text>
			</Group>
			<Text mt={4}>{t("readOnly.lockedBody")}</Text>
			<TextInput
				id={unlockField}
				data-path="reason"
				spellCheck
				mt="xs"
				label={t("readOnly.reason")}
				inputContainer={(input) => (
					<Group gap="xs" wrap="nowrap" align="flex-start">
						<div style={{ flex: 1 }}>{input}</div>
						<Button variant="filled" size="sm" type="submit" loading={unlock.isPending} flex="none">
							{t("readOnly.unlock")}
						</Button>
					</Group>
				)}
				value={reason}
				onChange={(event) => setReason(event.currentTarget.value)}
				error={faultText(common, unlock.error, "reason")}
			/>
			<ProblemNotice problem={problem} />
		</SubmitForm>
	);
}
