import { ActionIcon, Collapse, Group, Menu, Paper, Progress, rem, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconDots, IconRoute } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { pageWidths } from "@/components/page";
import { Heading } from "@/components/text";
import { useGuidedTour } from "@/lib/queries/program";
import { useGuidedTourAction } from "./fault-form";
import classes from "./guided-tour-panel.module.css";
import { GuidedTourSteps } from "./guided-tour-steps";

/** Guided tour above the pages of the practice site. Collapsed, it is one line. */
export function GuidedTourPanel({ site }: { site: SiteView }) {
	const { t } = useTranslation("guidedTour");
	const tour = useGuidedTour().data;
	const fold = useGuidedTourAction((backend, folded: boolean) => backend.collapseTour(folded));
	const end = useGuidedTourAction((backend) => backend.endTour());
	const begin = useGuidedTourAction((backend) => backend.startTour());
	const done = tour?.steps.filter((step) => step.done).length ?? 0;
	const main = tour?.steps.filter(({ optional }) => !optional) ?? [];
	const completed = main.filter((step) => step.done).length;
	const folded = tour?.folded ?? false;
	const ref = useRef<HTMLElement>(null);
	const before = useRef(done);
	useEffect(() => {
		// Scrolls to the next step, because the completed one might be further down.
		if (done > before.current && !folded) ref.current?.scrollIntoView({ block: "nearest" });
		before.current = done;
	}, [done, folded]);
	if (!tour || tour.begun === null) return null;
	const total = main.length;
	const problem = fold.error ?? end.error ?? begin.error;
	const Chevron = tour.folded ? IconChevronDown : IconChevronUp;
	return (
		<Paper
			ref={ref}
			withBorder
			px="md"
			py="xs"
			mb="md"
			__vars={{ "--form": rem(pageWidths.form), "--wide": rem(pageWidths.wide) }}
			component="aside"
			aria-label={t("title")}
			className={classes.panel ?? ""}
		>
			<Group gap="sm" wrap="nowrap">
				<IconRoute size={18} stroke={1.5} aria-hidden className={`${classes.icon} ${classes.sign}`} />
				<Group className={classes.head ?? ""}>
					<Heading>{t("title")}</Heading>
					<Progress value={(completed / total) * 100} className={classes.progress ?? ""} size="sm" aria-hidden />
					<Text c="dimmed" role="status">
						{t("done", { done: completed, total })}
					</Text>
				</Group>
				<Menu position="bottom-end">
					<Menu.Target>
						<ActionIcon variant="subtle" color="gray" flex="none" aria-label={t("menu")}>
							<IconDots size={18} aria-hidden />
						</ActionIcon>
					</Menu.Target>
					<Menu.Dropdown>
						<Menu.Item onClick={() => begin.mutate()}>{t("again")}</Menu.Item>
						<Menu.Item onClick={() => end.mutate()}>{t("end")}</Menu.Item>
					</Menu.Dropdown>
				</Menu>
				<ActionIcon
					variant="subtle"
					color="gray"
					flex="none"
					aria-label={t(tour.folded ? "unfold" : "fold")}
					aria-expanded={!tour.folded}
					onClick={() => fold.mutate(!tour.folded)}
				>
					<Chevron size={18} aria-hidden />
				</ActionIcon>
			</Group>
			<ProblemNotice problem={problem} />
			<Collapse expanded={!tour.folded}>
				<GuidedTourSteps tour={tour} site={site} onEnd={() => end.mutate()} />
			</Collapse>
		</Paper>
	);
}
