import { Button, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import type { AcceptanceLine, BackupPlan, LineState, PlanForm, Problem, SiteView } from "@/bridge";
import { Row, Rows } from "@/components/board";
import { ProblemNotice } from "@/components/notice";
import { OutcomeIcon, type OutcomeName } from "@/components/outcome";
import { Section } from "@/components/page";
import { Small } from "@/components/text";
import { useSignInRequest } from "@/lib/navigation";
import { usePreferences } from "@/lib/preferences";
import { usePlanAcceptance } from "@/lib/queries/plans";
import { signInAt } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { type LineText, useAcceptanceText } from "./acceptance-text";
import { formOf, type PlanValues } from "./values";

const tones: Record<LineState, OutcomeName> = {
	met: "succeeded",
	warning: "warnings",
	notMet: "failed",
	notKnown: "unknown",
};

interface BeforeRunProps {
	site: SiteView;
	acceptance: AcceptanceHandle;
	ref?: Ref<HTMLDivElement>;
}

/** Acceptance list: conditions under which a plan can run without a user, each met or with what to do. */
export function BeforeRun({ site, acceptance: { lines, isReading, problem, reload }, ref }: BeforeRunProps) {
	const { t } = useTranslation("plans");
	const whenItRuns =
		site.environment === "practice"
			? { title: t("practice"), below: "" }
			: { title: t("edit.runsWhile"), below: t("edit.runsWhileBelow") };
	const textOf = useAcceptanceText(site, usePreferences().policy?.plansFolder ?? null);
	return (
		<Section
			title={t("edit.before")}
			beside={<Small role="status">{isReading ? t("accept.reading") : ""}</Small>}
			ref={ref}
			tabIndex={-1}
			style={{ outline: "none" }}
		>
			<Rows label={t("edit.before")} busy={isReading}>
				<Line state="met" text={whenItRuns} />
				{lines.map((line) => {
					const text = textOf(line);
					return (
						<Line key={JSON.stringify(line.about)} state={line.state} text={text}>
							<Remedy site={site} line={line} text={text} onDone={reload} />
						</Line>
					);
				})}
			</Rows>
			{problem ? <ProblemNotice problem={problem} onRetry={reload} /> : null}
		</Section>
	);
}

function Line({ state, text, children }: { state: LineState; text: LineText; children?: ReactNode }) {
	const { t } = useTranslation("plans");
	return (
		<Row
			data-state={state}
			icon={<OutcomeIcon outcome={tones[state]} />}
			title={<Text>{text.title}</Text>}
			below={state === "met" ? text.below : `${t(`accept.state.${state}`)} ${text.below}`}
		>
			{children}
		</Row>
	);
}

interface RemedyProps {
	site: SiteView;
	line: AcceptanceLine;
	text: LineText;
	onDone: () => void;
}

/** Button that helps to meet a condition; renders nothing if none does. */
function Remedy({ site, line: { remedy }, text, onDone }: RemedyProps) {
	const { t } = useTranslation(["plans", "sites"]);
	const askToSignIn = useSignInRequest();
	switch (remedy?.kind) {
		case "signIn": {
			const { server } = remedy;
			const signIn = () => askToSignIn(site.id, signInAt(site, server));
			return <RemedyButton act={t("sites:attention.signIn")} about={text.title} onClick={signIn} />;
		}
		case "checkSite":
			return <CheckSite site={site} about={text.title} onDone={onDone} />;
		case "chooseFolder":
			return <RemedyButton act={t("accept.toFolder")} about={text.title} onClick={goToFolder} />;
		case "unlockKeyring":
			return <RemedyButton act={t("accept.again")} about={text.title} onClick={onDone} />;
		default:
			return null;
	}
}

/** The button beside this field opens the folder dialog. */
function goToFolder(): void {
	document.querySelector<HTMLElement>('[data-path="folder"]')?.focus();
}

function CheckSite({ site, about, onDone }: { site: SiteView; about: string; onDone: () => void }) {
	const { t } = useTranslation("sites");
	const check = useCommand(
		(backend) => backend.checkSite(site.id),
		(stale) => stale("checkSite"),
		{ onDone, onFailed: onDone },
	);
	return <RemedyButton act={t("board.check")} about={about} loading={check.isPending} onClick={() => check.mutate()} />;
}

interface RemedyButtonProps {
	act: string;
	/** Title of the line, so that equal buttons have different accessible names. */
	about: string;
	loading?: boolean;
	onClick: () => void;
}

function RemedyButton({ act, about, loading = false, onClick }: RemedyButtonProps) {
	return (
		<Button flex="none" aria-label={`${act}: ${about}`} loading={loading} onClick={onClick}>
			{act}
		</Button>
	);
}

/**
 * Delay after the last change before the acceptance list is read, in milliseconds: each reading writes a trial file.
 */
const readDelay = 300;

interface AcceptanceHandle {
	/** Lines of the last reading; empty before the first. */
	lines: readonly AcceptanceLine[];
	/** Whether the list is being read, or belongs to an earlier state of the form. */
	isReading: boolean;
	/** First condition that is not met; `null` if all are. */
	obstacle: AcceptanceLine | null;
	problem: Problem | null;
	reload: () => void;
}

/** Acceptance list of the plan in the form. */
export function useAcceptance(site: SiteView, plan: BackupPlan | null, values: PlanValues): AcceptanceHandle {
	const now = JSON.stringify(acceptanceInput(formOf(site, plan, values, true)));
	const [settled] = useDebouncedValue(now, readDelay);
	const { data, error, isFetching, refetch } = usePlanAcceptance(JSON.parse(settled) as PlanForm);
	const lines = data ?? [];
	return {
		lines,
		isReading: isFetching || settled !== now,
		obstacle: lines.find(({ state }) => state === "notMet") ?? null,
		problem: error,
		reload: () => void refetch(),
	};
}

/** Removes the values on which the acceptance list does not depend. */
function acceptanceInput(form: PlanForm): PlanForm {
	const keep = { last: null, daily: null, weekly: null, monthly: null, withinDays: null };
	return { ...form, name: "", keep, rehearseDays: null, alerts: [] };
}
