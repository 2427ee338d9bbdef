import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Millis, PlanId, RehearsalStep, RehearsalView, SiteView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { Foldable } from "@/components/foldable";
import { CommandButton, LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { HelpLink, Page } from "@/components/page";
import { Step } from "@/components/step";
import { Small } from "@/components/text";
import { formatDateTime, formatLeft, formatTime, useNow } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useRehearsal } from "@/lib/queries/plans";
import { useCommand } from "@/lib/use-command";
import { Differences, RehearsalSteps } from "./rehearsal-steps";

interface RehearsalPageProps {
	/** Test site. */
	site: SiteView;
	plan: PlanId;
	/** Folder name of the set. */
	set: string;
}

/** Rehearsal of a set on a test site. Each import is sent by its own form, not by this page. */
export function RehearsalPage({ site, plan, set }: RehearsalPageProps) {
	const { t } = useTranslation("rehearsal");
	const { data: view, error, refetch } = useRehearsal(plan, set, site.id);
	const names = { test: site.name, site: view?.siteName ?? "" };
	const now = view ? stepOf(view) : 1;
	const turn = (step: number) => (step === now ? "now" : step > now ? "later" : undefined);
	return (
		<Page
			title={t("title")}
			beside={view ? t("step", { step: now, total: lastStep }) : null}
			width="wide"
			// The name of the site is in the set.
			description={view ? t("what", names) : undefined}
			back={
				view
					? {
							label: t("back", { site: view.siteName, at: formatDateTime(view.setStarted) }),
							to: { page: "backup-set", site: view.site, plan, set },
						}
					: null
			}
			actions={
				<>
					{view ? <End site={site} view={view} /> : null}
					<HelpLink topic="backup-plans" about={t("title")} />
				</>
			}
		>
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
			{error ? <Forget site={site} /> : null}
			{view === undefined && !error ? <LoadingRows height={48} /> : null}
			{view ? (
				<>
					<Hindrance site={site} view={view} />
					<Step number={1} title={t("where.title")} done={view.begun !== null} turn={turn(1)}>
						<Where site={site} plan={plan} set={set} view={view} />
					</Step>
					<Step
						number={2}
						title={t("imports.count", { done: view.steps.filter(isBack).length, total: view.steps.length })}
						beside={view.begun ? <Begun at={view.begun.at} /> : null}
						done={view.steps.every(({ state }) => state === "back")}
						turn={turn(2)}
					>
						<RehearsalSteps site={site} view={view} />
						<Text c="dimmed">{t("imports.confirm")}</Text>
					</Step>
					<Step number={3} title={t("end.title")} turn={turn(3)}>
						<Text c="dimmed">{t("end.body")}</Text>
					</Step>
					<Step number={lastStep} title={t("putBack.title", names)} turn={turn(lastStep)}>
						<Text c="dimmed">{t("putBack.body", names)}</Text>
					</Step>
				</>
			) : null}
		</Page>
	);
}

/** Number of the last step, which puts the test site back. The page of the receipt has its button. */
const lastStep = 4;

/** Returns the step that the user is at: comparison, imports, or end. */
const stepOf = ({ begun, steps }: RehearsalView) => (begun === null ? 1 : steps.some(({ isNext }) => isNext) ? 2 : 3);

const isBack = ({ state }: RehearsalStep) => state === "back" || state === "backBut";

/** When the rehearsal was begun, and how long it has taken. */
function Begun({ at }: { at: Millis }) {
	const { t } = useTranslation("rehearsal");
	const now = useNow(60_000);
	return <Small flex="none">{t("imports.begun", { at: formatTime(at), time: formatLeft(now - at) })}</Small>;
}

/** Reason why nothing can be rehearsed on the test site, or another rehearsal that must end first. */
function Hindrance({ site, view: { refused, other } }: { site: SiteView; view: RehearsalView }) {
	const { t } = useTranslation("rehearsal");
	const { go } = useNavigation();
	return (
		<>
			<ProblemNotice problem={refused} />
			{other ? (
				<Notice tone="warnings" title={t("other", { test: site.name })}>
					<Button
						w="fit-content"
						onClick={() => go({ page: "rehearsal", site: site.id, plan: other.plan, set: other.set })}
					>
						{t("toOther")}
					</Button>
				</Notice>
			) : null}
		</>
	);
}

function Where({ site, plan, set, view }: RehearsalPageProps & { view: RehearsalView }) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "where" });
	const begin = useCommand((backend) => backend.beginRehearsal(plan, set, site.id), ["beginRehearsal"]);
	const names = { test: site.name, site: view.siteName };
	return (
		<>
			{view.differences.length === 0 ? (
				<Text>{t("same", names)}</Text>
			) : view.begun ? (
				<Foldable title={t("differsCount", { ...names, count: view.differences.length })}>
					<Differences differences={view.differences} />
				</Foldable>
			) : (
				<>
					<Text fw={600}>{t("differs", names)}</Text>
					<Differences differences={view.differences} />
					<Text c="dimmed">{t("may")}</Text>
				</>
			)}
			<ProblemNotice problem={begin.error} site={site} />
			{view.begun ? null : (
				<Group>
					<CommandButton command={begin} label={t("start")} disabled={view.refused !== null || view.other !== null} />
				</Group>
			)}
		</>
	);
}

/**
 * Ends the rehearsal, which is possible at any time. The receipt names the parts that were not imported.
 *
 * It stays mounted without a rehearsal: the page might read the end before the response arrives, which opens the
 * receipt.
 */
function End({ site, view: { begun, steps } }: { site: SiteView; view: RehearsalView }) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "end" });
	const { go } = useNavigation();
	const [asking, { open, close }] = useDisclosure(false);
	const end = useCommand((backend) => backend.endRehearsal(site.id), ["endRehearsal"], {
		onDone: (record) => {
			close();
			if (record !== null) go({ page: "receipt", site: site.id, record });
		},
	});
	const hasImports = steps.some(({ part }) => part.import !== null);
	return (
		<>
			{begun === null ? null : <Button onClick={open}>{t("button")}</Button>}
			<Dialog
				opened={asking}
				onClose={close}
				title={t("ask")}
				confirm={t("confirm")}
				command={end}
				onConfirm={() => end.mutate()}
			>
				<Text>{hasImports ? t("consequence", { test: site.name }) : t("nothing")}</Text>
			</Dialog>
		</>
	);
}

/** Button that discards a rehearsal whose set cannot be read. */
function Forget({ site }: { site: SiteView }) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "end" });
	const { go } = useNavigation();
	const forget = useCommand((backend) => backend.forgetRehearsal(site.id), ["forgetRehearsal"], {
		onDone: () => go({ page: "overview", site: site.id }),
	});
	return (
		<Group gap="sm">
			<CommandButton command={forget} label={t("forget")} />
			<Text c="dimmed">{t("forgetBody")}</Text>
			<ProblemNotice problem={forget.error} />
		</Group>
	);
}
