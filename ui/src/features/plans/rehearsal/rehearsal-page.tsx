import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { PlanId, RehearsalView, SiteView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { CommandButton, LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { HelpLink, Page } from "@/components/page";
import { Step } from "@/components/step";
import { formatDateTime, formatTime } from "@/lib/format";
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
	const source = view?.siteName ?? "";
	const names = { test: site.name, site: source };
	const imported = view?.steps.filter(({ part }) => part.import !== null).length ?? 0;
	const total = view?.steps.length ?? 0;
	const done = { done: imported, total };
	return (
		<Page
			title={t("title")}
			beside={view ? `${source}, ${formatDateTime(view.setStarted)}` : null}
			width="wide"
			// The name of the site is in the set.
			description={view ? t("what", names) : undefined}
			back={view ? { label: t("back"), to: { page: "backup-set", site: view.site, plan, set } } : null}
			actions={<HelpLink topic="backup-plans" about={t("title")} />}
		>
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
			{error ? <Forget site={site} /> : null}
			{view === undefined && !error ? <LoadingRows height={48} /> : null}
			{view ? (
				<>
					<Hindrance site={site} view={view} />
					<Step number={1} title={t("where.title")} done={view.begun !== null}>
						<Where site={site} plan={plan} set={set} view={view} />
					</Step>
					<Step number={2} title={t("imports.title")} done={view.steps.every(({ state }) => state === "back")}>
						<Text>{t("done", done)}</Text>
						<RehearsalSteps site={site} view={view} />
						<Text c="dimmed">{t("imports.confirm")}</Text>
					</Step>
					<Step number={3} title={t("end.title")}>
						<Text>{t("end.body")}</Text>
						<End site={site} hasBegun={view.begun !== null} hasImports={imported > 0} />
					</Step>
					<Step number={4} title={t("putBack.title", names)}>
						<Text>{t("putBack.body", names)}</Text>
					</Step>
				</>
			) : null}
		</Page>
	);
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
						style={{ alignSelf: "flex-start" }}
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
			) : (
				<>
					<Text fw={600}>{t("differs", names)}</Text>
					<Differences differences={view.differences} />
					<Text c="dimmed">{t("may")}</Text>
				</>
			)}
			<ProblemNotice problem={begin.error} site={site} />
			{view.begun ? (
				<Text c="dimmed">{t("begun", { at: formatTime(view.begun.at) })}</Text>
			) : (
				<Group>
					<CommandButton command={begin} label={t("start")} disabled={view.refused !== null || view.other !== null} />
				</Group>
			)}
		</>
	);
}

interface EndProps {
	site: SiteView;
	/**
	 * Whether the rehearsal is in progress. `End` stays mounted when it is not: the page might read the end before the
	 * response arrives, which opens the receipt.
	 */
	hasBegun: boolean;
	hasImports: boolean;
}

/** Ends the rehearsal, which is possible at any time. The receipt names the parts that were not imported. */
function End({ site, hasBegun, hasImports }: EndProps) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "end" });
	const { go } = useNavigation();
	const [asking, { open, close }] = useDisclosure(false);
	const end = useCommand((backend) => backend.endRehearsal(site.id), ["endRehearsal"], {
		onDone: (record) => {
			close();
			if (record !== null) go({ page: "receipt", site: site.id, record });
		},
	});
	return (
		<Group>
			{hasBegun ? <Button onClick={open}>{t("button")}</Button> : null}
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
		</Group>
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
