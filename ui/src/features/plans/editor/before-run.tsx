import { Button, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { TFunction } from "i18next";
import { type ReactNode, type Ref, useCallback } from "react";
import { useTranslation } from "react-i18next";
import type {
	AcceptanceLine,
	BackupPlan,
	LineAbout,
	LineState,
	PlanForm,
	Problem,
	ServerId,
	SiteView,
	UnavailableReason,
} from "@/bridge";
import { Row, Rows } from "@/components/board";
import { ProblemNotice } from "@/components/notice";
import { OutcomeIcon, type OutcomeName } from "@/components/outcome";
import { Section } from "@/components/page";
import { Small } from "@/components/text";
import { formatAgo, formatDateTime, formatDuration, formatSize } from "@/lib/format";
import { useSignInRequest } from "@/lib/navigation";
import { usePreferences } from "@/lib/preferences";
import { usePlanAcceptance } from "@/lib/queries/plans";
import { serverName, signInAt } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { obstacleOf, unavailableText } from "@/lib/use-read-only";
import { joined } from "@/messages/isolated";
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
	return { ...form, name: "", keep, rehearseEvery: null, alerts: [] };
}

type Translate = TFunction<["plans", "common"]>;
type Of<K extends LineAbout["kind"]> = Extract<LineAbout, { kind: K }>;

interface LineText {
	title: string;
	/** Details, and what to do. */
	below: string;
}

/** Returns a function that describes a line of the acceptance list. `onlyIn`: folder that the organization allows. */
function useAcceptanceText(site: SiteView, onlyIn: string | null) {
	const { t } = useTranslation(["plans", "common"]);
	const { t: common } = useTranslation("common");
	return useCallback(
		({ state, about }: AcceptanceLine): LineText => {
			const partOf = (server: ServerId | null) => (server === null ? t("list.portal") : serverName(site, server));
			const namesOf = (parts: readonly (ServerId | null)[]) => ({ parts: joined(parts.map(partOf), ", ") });
			switch (about.kind) {
				case "session":
					return sessionText(t, state, about, namesOf(about.parts));
				case "versions": {
					const names = namesOf(about.parts);
					if (about.reason === null) {
						const key = state === "met" ? "versions.met" : "versions.notKnown";
						return { title: t(`accept.${key}`, names), below: t(`accept.${key}Below`) };
					}
					const why = reasonOf(common, about.parts, about.reason);
					return { title: t("accept.versions.notMet", names), below: `${why} ${t("accept.versions.clear")}` };
				}
				case "tokenLife":
					return tokenLifeText(t, state, about, partOf(about.server));
				case "folder":
					return folderText(t, about, onlyIn);
				case "space":
					return spaceText(t, state, about);
				case "synchronized":
					return { title: t("accept.synchronized"), below: t("accept.synchronizedBelow", { name: about.name }) };
				case "onlyExports":
					return { title: t("edit.onlyExports"), below: leftText(t, about) };
			}
		},
		[t, common, site, onlyIn],
	);
}

function sessionText(t: Translate, state: LineState, { session }: Of<"session">, names: { parts: string }): LineText {
	switch (session.kind) {
		case "password":
			return { title: t("accept.session.met", names), below: t("accept.session.password") };
		case "refreshToken": {
			if (session.ends === null) {
				const title = t(state === "met" ? "accept.session.met" : "accept.session.endNotKnown", names);
				return { title, below: t("accept.session.endNotReturned") };
			}
			const at = { at: formatDateTime(session.ends), ago: formatAgo(session.ends) };
			if (state === "met") return { title: t("accept.session.met", names), below: t("accept.session.until", at) };
			const isOver = session.ends <= Date.now();
			if (isOver) return { title: t("accept.session.ended", names), below: t("accept.session.signInAgain") };
			return {
				title: t("accept.session.ends", { ...names, ...at }),
				below: t(state === "warning" ? "accept.session.endsBelow" : "accept.session.tooSoon", at),
			};
		}
		case "bareToken": {
			if (state !== "met") return { title: t("accept.session.bare", names), below: t("accept.session.savePassword") };
			return { title: t("accept.session.met", names), below: t("accept.session.onRequest") };
		}
		case "signedOut":
			return { title: t("accept.session.out", names), below: t("accept.session.savePassword") };
		case "notChecked":
			return { title: t("accept.session.notChecked", names), below: t("accept.session.check") };
		case "keyring":
			return session.keyring === "absent"
				? { title: t("accept.session.noKeyring"), below: t("accept.session.noKeyringBelow") }
				: { title: t("accept.session.keyring"), below: t("accept.session.keyringBelow") };
	}
}

function reasonOf(common: TFunction<"common">, [server]: readonly (ServerId | null)[], reason: UnavailableReason) {
	const obstacle = obstacleOf(server === null ? "export_portal" : "export_server", reason);
	return obstacle === null ? "" : unavailableText(common, obstacle);
}

function tokenLifeText(t: Translate, state: LineState, { longest, life }: Of<"tokenLife">, part: string): LineText {
	const values = { part, life: formatDuration(life * 1_000), longest: formatDuration((longest ?? 0) * 1_000) };
	const key = state === "met" ? "met" : state === "warning" ? "warning" : "notKnown";
	return { title: t(`accept.tokenLife.${key}`, values), below: t(`accept.tokenLife.${key}Below`, values) };
}

function folderText(t: Translate, { fault }: Of<"folder">, onlyIn: string | null): LineText {
	if (fault === null) return { title: t("accept.folder.met"), below: t("accept.folder.metBelow") };
	const title = t(`accept.folder.${fault.kind}`);
	if (fault.kind === "notAllowed" && onlyIn !== null) return { title, below: t("edit.onlyIn", { folder: onlyIn }) };
	return { title, below: t(`accept.folder.${folderRemedies[fault.kind]}`) };
}

/** Message key of the advice for each fault of a folder. */
const folderRemedies = {
	notChosen: "choose",
	missing: "connect",
	notWritable: "another",
	notAllowed: "another",
	notMarked: "again",
} as const;

function spaceText(t: Translate, state: LineState, { free, needed }: Of<"space">): LineText {
	if (free === null) return { title: t("accept.space.notKnown"), below: t("accept.space.notReturned") };
	if (needed === null) {
		return { title: t("accept.space.noSet"), below: t("accept.space.noSetBelow", { free: formatSize(free) }) };
	}
	const values = { free: formatSize(free), needed: formatSize(needed), lacking: formatSize(needed - free) };
	if (state === "met") return { title: t("accept.space.met"), below: t("accept.space.metBelow", values) };
	return { title: t("accept.space.notMet"), below: t("accept.space.notMetBelow", values) };
}

/** Returns what a plan leaves on the site. */
function leftText(t: Translate, { isReadOnly, keepsPortalFiles, keepsUploads }: Of<"onlyExports">): string {
	const left = [
		isReadOnly ? t("accept.left.readOnly") : t("edit.onlyExportsBelow"),
		keepsPortalFiles ? t("accept.left.portalFiles") : null,
		t(keepsUploads ? "accept.left.uploads" : "accept.left.failedUploads"),
	];
	return left.filter((one) => one !== null).join(" ");
}
