import { Button, Group, SimpleGrid, Stack, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowRight, IconCircle, IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type GuidedTourStep, type GuidedTourView, operations, type SiteView } from "@/bridge";
import { WithIcon } from "@/components/outcome";
import { Small } from "@/components/text";
import { type Place, useNavigation } from "@/lib/navigation";
import { targetOf, useTargetNameOf } from "@/lib/target";
import { operationUis } from "@/operations";
import classes from "./guided-tour-panel.module.css";

interface GuidedTourStepsProps {
	tour: GuidedTourView;
	site: SiteView;
	onEnd: () => void;
}

/**
 * Steps of the tour with the details of the next or selected one. On other pages than the overview, only the details
 * are shown.
 */
export function GuidedTourSteps({ tour, site, onEnd }: GuidedTourStepsProps) {
	const { t } = useTranslation("guidedTour");
	const { place } = useNavigation();
	const next = nextStep(tour.steps, place, site);
	// A selected step is replaced by the next one as soon as a step is done.
	const [looked, setLooked] = useState<{ at: GuidedTourStep; next: GuidedTourStep | null } | null>(null);
	const shown = looked?.next === next ? looked.at : next;
	const isOptional = place.page !== "overview" && tour.steps.some(({ step, optional }) => step === shown && optional);
	const isOverview = place.page === "overview";
	// The page shows the result of this step, and the tour what to look at.
	const here = isOverview
		? undefined
		: tour.steps.findLast(({ step, done }) => done && step !== shown && isAt(place, step, site));
	const details = shown ? (
		<Step step={shown} site={site} isOptional={isOptional} isBrief={here !== undefined} />
	) : (
		<Finished tour={tour} site={site} onEnd={onEnd} />
	);
	if (!isOverview) {
		return (
			<Stack py={4} gap="xs">
				{here ? <DoneHere step={here.step} /> : null}
				{details}
			</Stack>
		);
	}
	return (
		<SimpleGrid type="container" cols={{ base: 1, "28em": 2 }} spacing="lg" verticalSpacing="xs" pt="xs" pb={4}>
			<Stack gap="xs">
				<StepList
					steps={tour.steps.filter(({ optional }) => !optional)}
					label={t("steps")}
					shown={shown}
					onLook={(at) => setLooked({ at, next })}
				/>
				{hasChapter(tour.steps) ? (
					<>
						<Text size="sm" c="dimmed" px="xs">
							{t("chapter")}
						</Text>
						<StepList
							steps={tour.steps.filter(({ optional }) => optional)}
							label={t("chapter")}
							shown={shown}
							onLook={(at) => setLooked({ at, next })}
						/>
					</>
				) : null}
			</Stack>
			{details}
		</SimpleGrid>
	);
}

interface StepListProps {
	steps: GuidedTourView["steps"];
	label: string;
	/** Step whose details are shown. */
	shown: GuidedTourStep | null;
	onLook: (step: GuidedTourStep) => void;
}

function StepList({ steps, label, shown, onLook }: StepListProps) {
	const { t } = useTranslation("guidedTour");
	return (
		<ol className={classes.steps} aria-label={label}>
			{steps.map(({ step, done }) => (
				<li key={step}>
					<UnstyledButton
						className={classes.step ?? ""}
						aria-current={step === shown ? "step" : undefined}
						onClick={() => onLook(step)}
					>
						{done ? (
							<IconCircleCheck size={16} color="var(--tone-succeeded)" aria-hidden className={classes.icon} />
						) : (
							<IconCircle size={16} stroke={1.5} aria-hidden className={classes.icon} />
						)}
						{t(`step.${step}.name`)}
						{done ? <VisuallyHidden>{t("stepDone")}</VisuallyHidden> : null}
					</UnstyledButton>
				</li>
			))}
		</ol>
	);
}

interface StepProps {
	step: GuidedTourStep;
	site: SiteView;
	/** Whether the step is optional and does not count. */
	isOptional: boolean;
	/** Whether only the button that opens its page is shown, so that the result of the previous step stays visible. */
	isBrief: boolean;
}

function Step({ step, site, isOptional, isBrief }: StepProps) {
	const { t } = useTranslation("guidedTour");
	const { place, go } = useNavigation();
	const target = useTargetNameOf("export_server", site);
	const first = site.servers[0]?.name ?? "";
	const isHere = isAt(place, step, site);
	const toPage = isHere ? null : (
		<Button maw="100%" rightSection={<IconArrowRight size={14} aria-hidden />} onClick={() => go(placeOf(step, site))}>
			{t(`step.${step}.go`)}
		</Button>
	);
	if (isBrief && !isHere) {
		return (
			<Group gap="sm">
				{isOptional ? <Small>{t("chapter")}</Small> : null}
				<Text fw={600}>{t(`step.${step}.name`)}</Text>
				{toPage}
			</Group>
		);
	}
	return (
		<Stack gap="xs" align="flex-start">
			{isOptional ? <Small>{t("chapter")}</Small> : null}
			<Text fw={600}>{t(`step.${step}.name`)}</Text>
			<Text>{t(`step.${step}.do`, { target, first })}</Text>
			<Look step={step} />
			{toPage}
		</Stack>
	);
}

function DoneHere({ step }: { step: GuidedTourStep }) {
	const { t } = useTranslation("guidedTour");
	return (
		<WithIcon icon="succeeded">
			<Stack gap={2}>
				<Text>{t(`step.${step}.name`)}</Text>
				<VisuallyHidden>{t("stepDone")}</VisuallyHidden>
				<Look step={step} />
			</Stack>
		</WithIcon>
	);
}

function Look({ step }: { step: GuidedTourStep }) {
	const { t } = useTranslation("guidedTour");
	return (
		<Text>
			<Text span fw={600}>
				{t("look")}
			</Text>{" "}
			{t(`step.${step}.look`)}
		</Text>
	);
}

function Finished({ tour, site, onEnd }: GuidedTourStepsProps) {
	const { t } = useTranslation(["guidedTour", "sites"]);
	const { go } = useNavigation();
	const optional = tour.steps.find((step) => step.optional && !step.done);
	return (
		<Stack gap="xs" align="flex-start">
			<Text fw={600}>{t("finished.title")}</Text>
			<Text>{t("finished.body")}</Text>
			{optional ? <Text>{t("finished.optional")}</Text> : null}
			<Group gap="xs">
				<Button variant="filled" onClick={onEnd}>
					{t("end")}
				</Button>
				<Button onClick={() => go({ page: "add-site" })}>{t("sites:add")}</Button>
				{optional ? (
					<Button onClick={() => go(placeOf(optional.step, site))}>{t(`step.${optional.step}.go`)}</Button>
				) : null}
			</Group>
		</Stack>
	);
}

const ofChanges: readonly GuidedTourStep[] = ["takeSnapshot", "findChange", "acceptChange", "compareSites"];
const ofRehearsals: readonly GuidedTourStep[] = ["beginRehearsal", "endRehearsal", "putBack"];

function placeOf(step: GuidedTourStep, site: SiteView): Place {
	if (step === "addFault" || step === "findExpiring" || step === "simulateChanges") {
		return { page: "practice", site: site.id };
	}
	if (step === "seeRecoverable") return { page: "overview", site: site.id };
	if (ofChanges.includes(step)) return { page: "changes", site: site.id };
	if (ofRehearsals.includes(step)) return { page: "plans", site: site.id };
	const there = operations.find(({ key }) => operationUis[key].tourSteps?.includes(step));
	return there ? { page: "operation", ...targetOf(there.key, site), key: there.key } : { page: "history" };
}

function isAt(place: Place, step: GuidedTourStep, site: SiteView): boolean {
	const there = placeOf(step, site);
	return place.page === there.page && (!("key" in there) || ("key" in place && place.key === there.key));
}

/**
 * Whether the optional steps are shown: after the tour is complete, or once one of them is done. Before, they would
 * distract.
 */
function hasChapter(steps: GuidedTourView["steps"]): boolean {
	return steps.every(({ done, optional }) => done || optional) || steps.some(({ done, optional }) => done && optional);
}

/**
 * Returns the next step on a page: its own, or the first open one after it, starting over at the end. Optional steps
 * are returned only on their own page.
 */
function nextStep(steps: GuidedTourView["steps"], place: Place, site: SiteView): GuidedTourStep | null {
	// The overview shows all steps: its own is the next one only if it is the first open one.
	if (place.page === "overview") {
		const open = steps.find(({ done }) => !done);
		return open && (!open.optional || isAt(place, open.step, site)) ? open.step : null;
	}
	const here = Math.max(
		0,
		steps.findIndex(({ step }) => isAt(place, step, site)),
	);
	const around = [...steps.slice(here), ...steps.slice(0, here)];
	return around.find(({ step, done, optional }) => !done && (!optional || isAt(place, step, site)))?.step ?? null;
}
