import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFolder, IconPin, IconPinnedOff, IconRestore, IconTestPipe } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, PlanId, SetPart, SetView, SiteId, SiteView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { CommandButton, LoadingRows, Notice, ProblemNotice, type Tone } from "@/components/notice";
import { HelpLink, Page, Section } from "@/components/page";
import { IconButton, LinkButton, Small, WarningList } from "@/components/text";
import { formatDateTime, formatList, formatSize } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { usePlanSets, usePlans, useRehearsals } from "@/lib/queries/plans";
import { useSites } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { joined } from "@/messages/isolated";
import { isVerified, isWarned, usePartName, usePartReason, verifiable } from "../shown/part-state";
import { SetParts, useVerify } from "./set-parts";
import { SetRun } from "./set-run";

export function BackupSetPage({ site, plan: id, set: name }: { site: SiteView; plan: PlanId; set: string }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const list = usePlans(site.id);
	const sets = usePlanSets(site.id, id);
	const plan = list.data?.plans.find((view) => view.plan.id === id)?.plan;
	const set = sets.data?.sets.find((one) => one.name === name);
	const error = list.error ?? sets.error;
	const isRead = list.data !== undefined && sets.data !== undefined;
	return (
		<Page
			title={t("set.title")}
			beside={set ? formatDateTime(set.set.started) : null}
			width="wide"
			back={
				plan ? { label: t("set.backTo", { plan: plan.name }), to: { page: "plans", site: site.id, plan: id } } : null
			}
			actions={
				<>
					{plan && set ? <PinSet plan={plan} set={set} /> : null}
					{plan && set?.set.ended ? <RehearseButton site={site} plan={plan} set={name} /> : null}
					{set?.set.ended ? (
						<IconButton
							label={t("restore.begin")}
							icon={IconRestore}
							onClick={() => go({ page: "backup-set", site: site.id, plan: id, set: name, restore: true })}
						/>
					) : null}
					<HelpLink topic="backup-plans" about={t("set.title")} />
				</>
			}
		>
			<ProblemNotice problem={error} onRetry={() => void sets.refetch()} />
			{!isRead && !error ? <LoadingRows height={48} /> : null}
			{isRead && !set ? <Notice tone="warnings" title={t("set.notThere")} /> : null}
			{plan && set && sets.data ? (
				<>
					<Verdict site={site} plan={plan} set={set} all={sets.data.sets} />
					<Parts site={site} plan={plan} set={set} />
					<SetRun plan={plan} set={set} />
				</>
			) : null}
		</Page>
	);
}

function PinSet({ plan, set: { name, set } }: { plan: BackupPlan; set: SetView }) {
	const { t } = useTranslation("plans");
	const pin = useCommand((backend) => backend.pinSet(plan.id, name, !set.isPinned), ["pinSet", plan.site]);
	const Icon = set.isPinned ? IconPinnedOff : IconPin;
	return (
		<>
			<ProblemNotice problem={pin.error} />
			<CommandButton
				command={pin}
				label={t(set.isPinned ? "set.unpin" : "set.pin")}
				icon={Icon}
				disabled={set.ended === null}
			/>
		</>
	);
}

interface OfSet {
	site: SiteView;
	plan: BackupPlan;
	set: SetView;
}

const tones = {
	asExpected: "succeeded",
	running: "notSent",
	skipped: "failed",
	unknown: "unknown",
	failed: "failed",
} as const satisfies Record<SetView["verdict"], Tone>;

/** Whether a part is in the state that the plan expects. */
function isWell({ state, expected }: SetPart): boolean {
	return ["verifiedHere", "unrecognized"].includes(state.kind) || (state.kind === "onSite" && expected === "onSite");
}

/** Verdict of a set. For the first part that is not as expected, it links to the newest set with a verified copy. */
function Verdict({ site, plan, set, all }: OfSet & { all: readonly SetView[] }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const reasonOf = usePartReason();
	const nameOf = usePartName(site);
	const { parts } = set.set;
	const unchecked = parts.filter(({ state }) => state.kind === "onSite").map(nameOf);
	const lacking = set.verdict === "running" ? undefined : parts.find((part) => !isWell(part));
	// The entry shows the response of the site, and can check an unknown outcome.
	const record = lacking?.record ?? null;
	const other = lacking
		? all.find((one) => one.set.parts.some((part) => part.server === lacking.server && isVerified(part)))
		: undefined;
	const title =
		set.verdict === "running"
			? t("set.running")
			: lacking
				? t("set.notVerified", { part: nameOf(lacking) })
				: parts.every(isVerified)
					? t("set.allVerified", { count: parts.length })
					: t("set.asExpected");
	const at = other ? formatDateTime(other.set.started) : "";
	const warned = parts.filter(isWarned);
	const isOnlyWarned = set.verdict === "asExpected" && warned.length > 0;
	return (
		<Notice tone={isOnlyWarned ? "warnings" : tones[set.verdict]} title={title}>
			{lacking ? (
				<Text>
					{joined(
						[
							joined([t(`part.${lacking.state.kind}`), reasonOf(lacking.state)], ", "),
							other
								? t("set.newest", { part: nameOf(lacking), at })
								: lacking.server === null
									? ""
									: t("set.noCopy", { part: nameOf(lacking) }),
						],
						". ",
					)}
				</Text>
			) : null}
			{unchecked.length > 0 ? <Text>{t("set.unchecked", { parts: formatList(unchecked) })}</Text> : null}
			{warned.map((part) => {
				const title = t("set.warned", { part: nameOf(part) });
				const messages = part.warnings?.length ? part.warnings : [t("set.noDetails")];
				return <WarningList key={part.server ?? ""} title={title} messages={messages} />;
			})}
			{other || record ? (
				<Group gap="xs">
					{record ? <Button onClick={() => go({ page: "history", record })}>{t("set.openEntry")}</Button> : null}
					{other ? (
						<Button onClick={() => go({ page: "backup-set", site: site.id, plan: plan.id, set: other.name })}>
							{t("set.openOther", { at })}
						</Button>
					) : null}
				</Group>
			) : null}
		</Notice>
	);
}

function Parts({ site, plan, set }: OfSet) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const show = useCommand((backend) => backend.showSet(plan.id, set.name));
	const verify = useVerify(plan, set.name);
	const all = useMutation({ mutationFn: () => verify(verifiable(set).map(({ server }) => server)) });
	return (
		<Section
			title={t("set.parts")}
			beside={
				<>
					<Small mod="anywhere">{t("set.partsIn", { size: formatSize(set.size), folder: set.folder })}</Small>
					<CommandButton command={show} label={t("set.show")} icon={IconFolder} />
					{verifiable(set).length > 1 ? <CommandButton command={all} label={t("verifyAgain.all")} /> : null}
				</>
			}
		>
			<ProblemNotice problem={show.error} />
			<SetParts site={site} plan={plan} set={set} onVerify={(server) => void verify([server])} />
			<Group gap="xs">
				<Small>{t("set.notIncluded")}</Small>
				<LinkButton size="xs" onClick={() => go({ page: "help", topic: "backup-plans" })}>
					{t("sets.besides")}
				</LinkButton>
			</Group>
		</Section>
	);
}

interface RehearseButtonProps {
	site: SiteView;
	plan: BackupPlan;
	/** Folder name of the set. */
	set: string;
}

/** Button that leads to the rehearsal of a set: the one that was begun, or one on a test site that the user selects. */
export function RehearseButton({ site, plan, set }: RehearseButtonProps) {
	const { t } = useTranslation("rehearsal");
	const { go } = useNavigation();
	const [asking, { open, close }] = useDisclosure(false);
	const [chosen, setChosen] = useState<SiteId | null>(null);
	const sites = (useSites().data ?? []).filter(({ environment }) => environment === "test");
	const begun = useRehearsals().data?.find((one) => one.plan === plan.id && one.set === set);
	const icon = <IconTestPipe size={16} aria-hidden />;
	const lead = (on: SiteId) => go({ page: "rehearsal", site: on, plan: plan.id, set });
	if (begun) {
		return (
			<Button leftSection={icon} onClick={() => lead(begun.site)}>
				{t("continue")}
			</Button>
		);
	}
	const where = chosen ?? sites[0]?.id ?? null;
	return (
		<>
			<Button leftSection={icon} onClick={open}>
				{t("begin")}
			</Button>
			<Dialog
				opened={asking}
				onClose={close}
				title={t("choose.title")}
				confirm={t("choose.confirm")}
				ready={where !== null}
				onConfirm={() => where !== null && lead(where)}
			>
				<Text>{t("choose.body", { site: site.name })}</Text>
				{where === null ? (
					<Notice text={t("choose.noneBody")} tone="notSent" title={t("choose.none")} />
				) : (
					<Radio.Group label={t("choose.where")} value={where} onChange={setChosen}>
						<Stack gap="xs" pt={6}>
							{sites.map(({ id, name, portal }) => (
								<Radio key={id} value={id} label={name} description={portal ?? ""} />
							))}
						</Stack>
					</Radio.Group>
				)}
			</Dialog>
		</>
	);
}
