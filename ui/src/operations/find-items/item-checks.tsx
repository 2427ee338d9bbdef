import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DataUse, ItemUse, ItemValidation, Problem, RunView, SearchId, Target } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ItemVerdict } from "@/components/item-verdict";
import { ProblemNotice } from "@/components/problem-notice";
import { RunningCheck } from "@/components/running-check";
import { Lines } from "@/components/text";
import { Time } from "@/components/time";
import { Heads } from "@/components/wide-table";
import { useItemUse, useItemValidation } from "@/lib/queries/items";
import { useDataUse, useRunningChecks, useValidation } from "./use-checks";

interface ItemChecksProps {
	target: Target;
	search: SearchId;
	/** Index of the item in the search result. */
	place: number;
}

export function ItemValidationPart({ target, search, place }: ItemChecksProps) {
	const { t } = useTranslation("findItems", { keyPrefix: "validation" });
	const run = useRunningChecks(target).validation;
	const validate = useValidation(target, search);
	const last = useItemValidation(target, search, place);
	return (
		<CheckPart
			title={t("title")}
			label={t("validate")}
			run={run}
			pending={validate.isPending}
			problem={validate.error}
			onCheck={() => validate.mutate(place)}
		>
			{last.error ? <ProblemNotice problem={last.error} /> : null}
			{last.data === null ? <Text>{t("never")}</Text> : null}
			{last.data ? <LastValidation validation={last.data} /> : null}
		</CheckPart>
	);
}

function LastValidation({ validation }: { validation: ItemValidation }) {
	const { t } = useTranslation("findItems");
	const { verdict, reasons, machines, validAt } = validation;
	return (
		<Stack gap={4} role="status">
			<ItemVerdict validation={validation} />
			{verdict === "notValidated" ? <Text>{t("validation.noResult")}</Text> : null}
			{reasons.length > 0 ? <Lines lines={reasons} /> : null}
			{verdict === "valid" || verdict === "warnings" ? null : (
				<Text c="dimmed">
					{validAt === null ? (
						t("validation.neverValid")
					) : (
						<>
							{t("validation.validAt")} <Time at={validAt} />
						</>
					)}
				</Text>
			)}
			{machines.length > 0 ? (
				<Table withTableBorder aria-label={t("validation.machines")}>
					<Heads of={[t("machine"), t("validation.health"), t("validation.state")]} />
					<Table.Tbody>
						{machines.map(({ name, health, status }) => (
							<Table.Tr key={name}>
								<Table.Td mod="anywhere">{name}</Table.Td>
								<Table.Td>{health || t("unsaid")}</Table.Td>
								<Table.Td>{status || t("unsaid")}</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			) : null}
		</Stack>
	);
}

/** Services that use the data of an item according to their manifests. */
export function ItemUsePart({ target, search, place }: ItemChecksProps) {
	const { t } = useTranslation("findItems", { keyPrefix: "use" });
	const run = useRunningChecks(target).use;
	const find = useDataUse(target);
	const use = useItemUse(target, search, place);
	return (
		<CheckPart
			title={t("title")}
			label={t("find")}
			run={run}
			pending={find.isPending}
			problem={find.error}
			onCheck={() => find.mutate()}
		>
			{use.error ? <ProblemNotice problem={use.error} /> : null}
			{use.data === null ? <Text>{t("unknown")}</Text> : null}
			{use.data ? <KnownUse use={use.data} /> : null}
		</CheckPart>
	);
}

/** Services named; the others are counted. */
const namedServices = 20;

function KnownUse({ use: { services, perhaps, all } }: { use: ItemUse }) {
	const { t } = useTranslation("findItems", { keyPrefix: "use" });
	return (
		<Stack gap={4} role="status">
			{services === null ? <Text>{t("untold")}</Text> : null}
			{services?.length === 0 && perhaps.length === 0 ? <Text>{t("none")}</Text> : null}
			<Services services={services ?? []} label={t("services")} />
			{perhaps.length > 0 ? <Text>{t("perhaps")}</Text> : null}
			<Services services={perhaps} label={t("perhaps")} />
			<Text c="dimmed">
				{t("lookedUp")} <Time at={all.at} />
			</Text>
			{all.unread > 0 ? <Unread all={all} /> : null}
		</Stack>
	);
}

function Services({ services, label }: { services: readonly string[]; label: string }) {
	const { t } = useTranslation("findItems", { keyPrefix: "use" });
	if (services.length === 0) return null;
	return (
		<>
			<Lines aria-label={label} lines={services.slice(0, namedServices)} />
			{services.length > namedServices ? <Text>{t("more", { count: services.length - namedServices })}</Text> : null}
		</>
	);
}

function Unread({ all: { unread, named } }: { all: DataUse }) {
	const { t } = useTranslation("findItems", { keyPrefix: "use" });
	return (
		<Foldable title={t("unread", { count: unread })}>
			<Lines lines={named.slice(0, namedServices).map(({ service, reason }) => t("unreadOne", { service, reason }))} />
			{unread > namedServices ? <Text>{t("more", { count: unread - namedServices })}</Text> : null}
		</Foldable>
	);
}

interface CheckPartProps {
	title: string;
	label: string;
	/** Running check; `null` for none. */
	run: RunView | null;
	pending: boolean;
	problem: Problem | null;
	onCheck: () => void;
	children: ReactNode;
}

function CheckPart({ title, label, run, pending, problem, onCheck, children }: CheckPartProps) {
	return (
		<Stack gap="xs" component="section" aria-label={title}>
			<Group justify="space-between">
				<Title order={3} size="h5">
					{title}
				</Title>
				<Button loading={pending} disabled={run !== null} onClick={onCheck}>
					{label}
				</Button>
			</Group>
			{run ? <RunningCheck run={run} /> : null}
			{problem ? <ProblemNotice problem={problem} /> : null}
			{children}
		</Stack>
	);
}
