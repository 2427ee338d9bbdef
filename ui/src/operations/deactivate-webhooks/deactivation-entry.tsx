import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconBell, IconCheck, IconRestore } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, SiteView } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { Dialog } from "@/components/dialog";
import { formatTime } from "@/lib/format";
import { useCommand } from "@/lib/use-command";
import { useNow } from "@/lib/use-now";
import { countLeft, isActiveAgain } from "@/lib/webhooks-left";
import { dotted } from "@/messages/isolated";
import { RemindMenu } from "./remind-menu";

const day = 24 * 3_600_000;
/** Age in days from which a deactivation is marked as possibly forgotten. */
const longDays = 2;

interface DeactivationEntryProps {
	site: SiteView;
	entry: DeactivationView;
	/** Whether the server did not list the service at the last read. */
	isGone: boolean;
	busy: boolean;
	/** `null` while the site is locked. */
	onReactivate: (() => void) | null;
}

/** Entry of the deactivation log: a service with its deactivated webhooks, their state, and the possible actions. */
export function DeactivationEntry({ site, entry, isGone, busy, onReactivate }: DeactivationEntryProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const moment = useNow(60_000);
	const { service, active } = entry;
	const days = Math.floor((moment - entry.deactivatedAt) / day);
	const again = isActiveAgain(entry);
	const count = countLeft([entry]);
	return (
		<Stack gap="xs" role="group" aria-label={service}>
			<Group gap="xs" align="center">
				<Text fw={600} mod="anywhere">
					{service}
				</Text>
				{days >= longDays && !again ? (
					<Badge
						variant="default"
						leftSection={<IconAlertTriangle size={14} color="var(--tone-warnings)" aria-hidden />}
					>
						{t("log.days", { count: days })}
					</Badge>
				) : null}
				{entry.remindAt ? (
					<Badge variant="default" leftSection={<IconBell size={14} aria-hidden />}>
						{t(entry.remindAt > moment ? "log.reminding" : "log.reminded", { at: formatTime(entry.remindAt) })}
					</Badge>
				) : null}
			</Group>
			<Stack gap={0} mod="anywhere">
				<EntryState entry={entry} />
				{isGone ? <Text>{t("log.gone")}</Text> : null}
				{entry.why ? <Text>{t("log.why", { why: entry.why })}</Text> : null}
				<Text>
					{active === null
						? t("log.notKnown")
						: active.length === 0
							? t("log.noneActive")
							: t("log.active", { names: dotted(...active) })}
				</Text>
			</Stack>
			<Group gap="xs">
				{count > 0 && onReactivate && !isGone ? (
					<Button
						variant="filled"
						leftSection={<IconRestore size={14} aria-hidden />}
						aria-label={t("log.reactivateLabel", { count, service })}
						loading={busy}
						onClick={onReactivate}
					>
						{t("log.reactivate", { count })}
					</Button>
				) : null}
				<RemindMenu site={site} entry={entry} />
				{active && active.length > 0 ? (
					<CopyButton value={[service, ...active.map((name) => `- ${name}`)].join("\n")} label={t("log.copy")} />
				) : null}
				<ResolveButton site={site} entry={entry} />
			</Group>
		</Stack>
	);
}

function EntryState({ entry }: { entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const { active, activeAgain: now } = entry;
	const about = { at: formatTime(entry.deactivatedAt), by: entry.by || t("log.unknownUser") };
	const some = { ...about, count: now.length, names: dotted(...now) };
	const state = () => {
		if (isActiveAgain(entry)) return t("log.again", about);
		if (now.length > 0)
			return active ? t("log.againSome", { ...some, total: active.length }) : t("log.againUnknown", some);
		return entry.known ? t("log.since", about) : t("log.uncertain", about);
	};
	return <Text {...(now.length > 0 ? {} : { c: "dimmed" })}>{state()}</Text>;
}

/** Marks an entry as resolved, for webhooks that were activated by hand or stay deactivated. */
function ResolveButton({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const [asking, setAsking] = useState(false);
	const resolve = useCommand(
		(backend) => backend.resolveDeactivation(site.id, entry.id),
		(stale) => stale("resolveDeactivation", site.id),
	);
	return (
		<>
			<Button
				leftSection={<IconCheck size={14} aria-hidden />}
				aria-label={t("log.resolveLabel", { service: entry.service })}
				onClick={() => setAsking(true)}
			>
				{t("log.resolve")}
			</Button>
			<Dialog
				opened={asking}
				onClose={() => setAsking(false)}
				title={t("log.resolveLabel", { service: entry.service })}
				confirm={t("log.resolveConfirm")}
				command={resolve}
				onConfirm={() => resolve.mutate()}
			>
				<Text>{t("log.resolveBody")}</Text>
			</Dialog>
		</>
	);
}
