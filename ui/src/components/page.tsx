import { Box, Center, Group, Paper, Stack, type StackProps, Text, Title } from "@mantine/core";
import { IconHelp, type IconProps } from "@tabler/icons-react";
import { type ComponentType, type ReactNode, type Ref, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Problem } from "@/bridge";
import type { HelpTopic } from "@/lib/help";
import { type Place, useNavigation } from "@/lib/navigation";
import { useHeading } from "@/lib/use-heading";
import { Heading, IconButton, LinkButton } from "./text";

interface PageProps {
	title: string;
	/** Shown after the title, for example the server that the page acts on. */
	beside?: string | null;
	/** Link to the parent page, above the title. */
	back?: { label: string; to: Place } | null;
	description?: string | undefined;
	/** Shown after the description, for example the last result. */
	after?: ReactNode;
	/** `wide` for lists, boards, and results; `form` for forms. */
	width?: keyof typeof pageWidths;
	/** Buttons beside the title. */
	actions?: ReactNode;
	children: ReactNode;
}

/** Maximum widths of the content of a page, heading included, in pixels. */
export const pageWidths = { form: 720, wide: 1200 };

export function Page(props: PageProps) {
	const { title, beside = null, back = null, description, after, width = "form", actions, children } = props;
	const heading = useHeading();
	const { go } = useNavigation();
	return (
		<Box component="section" aria-label={title} mod={{ pageWidth: width }} maw={pageWidths[width]} w="100%">
			<Stack gap="sm">
				<Stack gap={2}>
					{back ? (
						<LinkButton size="xs" ta="start" w="fit-content" onClick={() => go(back.to)}>
							{back.label}
						</LinkButton>
					) : null}
					<Group justify="space-between" align="flex-start" gap="md">
						<Title order={1} size="h2" ref={heading} tabIndex={-1} miw={0} flex="1 1 16rem" style={{ outline: "none" }}>
							{title}
							{beside === null ? null : (
								<>
									{/* Screen readers would join both into one word. */}{" "}
									<Text span inherit fw={400} c="dimmed">
										{beside}
									</Text>
								</>
							)}
						</Title>
						{actions ? <Group gap="xs">{actions}</Group> : null}
					</Group>
					{/* Full width, even if the buttons wrap. */}
					{description ? (
						<Text c="dimmed" component="div">
							{description} {after}
						</Text>
					) : null}
				</Stack>
				<Stack gap="lg">{children}</Stack>
			</Stack>
		</Box>
	);
}

interface SectionProps extends Omit<StackProps, "title"> {
	title: ReactNode;
	/** Sentence below the title. */
	hint?: string;
	/** Text or buttons beside the title. */
	beside?: ReactNode;
	tabIndex?: number;
	ref?: Ref<HTMLDivElement> | undefined;
}

export function Section({ title, hint, beside, children, ...stack }: SectionProps) {
	const id = useId();
	return (
		<Stack gap="xs" component="section" aria-labelledby={id} {...stack}>
			<Group gap="xs">
				<Stack gap={2} flex={1}>
					<Heading id={id}>{title}</Heading>
					{hint ? <Text c="dimmed">{hint}</Text> : null}
				</Stack>
				{beside}
			</Group>
			{children}
		</Stack>
	);
}

/** Section with a frame, for pages that consist of several forms. */
export function Card(section: SectionProps) {
	return (
		<Paper withBorder p="lg">
			<Section gap="md" {...section} />
		</Paper>
	);
}

interface HelpLinkProps {
	topic: HelpTopic;
	/** Section of the page about problems. */
	problem?: Problem["kind"];
	/** Subject, for screen readers. */
	about: string;
}

/** Opens a help page. */
export function HelpLink({ about, ...place }: HelpLinkProps) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	return (
		<IconButton
			label={t("action.help")}
			variant="subtle"
			// Aligns the label with the text above and beside it.
			px={6}
			mx={-6}
			icon={IconHelp}
			aria-label={t("action.helpOn", { about })}
			onClick={() => go({ page: "help", ...place })}
		/>
	);
}

interface EmptyStateProps {
	icon: ComponentType<IconProps>;
	title: string;
	children?: ReactNode;
	/** Next step, usually one button. */
	action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
	return (
		<Center py="xl">
			<Stack align="center" gap="xs" maw={460}>
				<Icon size={40} stroke={1.25} color="var(--mantine-color-dimmed)" aria-hidden />
				<Heading ta="center">{title}</Heading>
				{children ? (
					<Text c="dimmed" ta="center" component="div">
						{children}
					</Text>
				) : null}
				{action}
			</Stack>
		</Center>
	);
}
