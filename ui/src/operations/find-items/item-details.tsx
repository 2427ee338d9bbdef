import { Button, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type {
	DataMachine,
	DataStoreItem,
	DataUse,
	ItemRow,
	ItemUse,
	ItemValidation,
	Problem,
	RunView,
	SearchId,
	Target,
} from "@/bridge";
import { CopyButton, CopyField } from "@/components/copy-field";
import { Foldable } from "@/components/foldable";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { RunningCheck } from "@/components/run-panel";
import { ItemVerdict } from "@/components/service-data";
import { Breakable, Lines, Time } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { useItemDetails, useItemUse, useItemValidation } from "@/lib/queries/items";
import { useCommand } from "@/lib/use-command";
import { useHeld } from "@/lib/use-held";
import { typeText, useDataUse, useRunningChecks, useValidation } from "./checks";

interface ItemDetailsProps {
	target: Target;
	search: SearchId;
	/** `null` closes the drawer. */
	row: ItemRow | null;
	onClose: () => void;
}

export function ItemDetails({ target, search, row: chosen, onClose }: ItemDetailsProps) {
	const { t } = useTranslation("findItems");
	const row = useHeld(chosen, chosen === null);
	const item = row?.item ?? null;
	const details = useItemDetails(target, search, item, chosen !== null);
	return (
		<Drawer
			opened={chosen !== null}
			onClose={onClose}
			position="right"
			size="lg"
			title={details.data ? t("details", { name: details.data.name }) : t("detailsPending")}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<Stack>
				{details.error ? (
					<ProblemNotice problem={details.error} onRetry={() => void details.refetch()} />
				) : details.data && row ? (
					<ItemSheet
						key={row.item}
						target={target}
						search={search}
						place={row.item}
						location={row.location}
						item={details.data}
					/>
				) : (
					<LoadingRows />
				)}
			</Stack>
		</Drawer>
	);
}

interface ItemSheetProps {
	target: Target;
	search: SearchId;
	/** Index of the item in the search result. */
	place: number;
	/** Location of the data; empty if the site does not report it. */
	location: string;
	item: DataStoreItem;
}

/** Properties of an item. Its secrets are in the window only between "reveal" and "hide". */
function ItemSheet({ target, search, place, location, item }: ItemSheetProps) {
	const { t } = useTranslation("findItems");
	const reveal = useCommand((backend) => backend.revealItem(target, search, place));
	const secrets = new Map(reveal.data?.map(({ name, value }) => [name, value]));
	const hasSecrets = item.info.some(({ secret }) => secret);
	// Copies no secrets, because other apps can read the clipboard.
	const plain = item.info.map(({ name, value }) => `${name}: ${value}`).join("\n");
	return (
		<Stack>
			<Text>{typeText(t, item.type)}</Text>
			{location ? <CopyField label={t("column.location")} value={location} copyLabel={t("copyLocation")} /> : null}
			<CopyField label={t("path")} value={item.path} copyLabel={t("copyPath")} isPath />
			{item.machines.length > 0 ? <ItemMachines machines={item.machines} /> : null}
			<ItemValidationPart target={target} search={search} place={place} />
			<ItemUsePart target={target} search={search} place={place} />
			<Group justify="space-between">
				<Title order={3} size="h5">
					{t("everything")}
				</Title>
				<Group gap="xs">
					{hasSecrets ? (
						<Button
							leftSection={reveal.data ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
							loading={reveal.isPending}
							onClick={() => (reveal.data ? reveal.reset() : reveal.mutate())}
						>
							{t(reveal.data ? "hideSecrets" : "revealSecrets")}
						</Button>
					) : null}
					<CopyButton value={plain} label={t("copyAll")} />
				</Group>
			</Group>
			{hasSecrets ? (
				<Text c="dimmed" role="status">
					{t(reveal.data ? "secretsOpen" : "secrets")}
				</Text>
			) : null}
			<ProblemNotice problem={reveal.error} />
			<Table layout="fixed" withTableBorder verticalSpacing={4}>
				<Heads of={[[t("field"), { w: "42%" }], t("value")]} />
				<Table.Tbody>
					{item.info.map(({ name, value }) => (
						<Table.Tr key={name}>
							<Table.Td mod="anywhere">{name}</Table.Td>
							<Table.Td mod="anywhere">
								<Breakable>{secrets.get(name) ?? value}</Breakable>
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Stack>
	);
}

function ItemMachines({ machines }: { machines: readonly DataMachine[] }) {
	const { t } = useTranslation("findItems");
	return (
		<Table withTableBorder aria-label={t("machines")}>
			<Heads of={[t("machine"), t("port"), t("platform"), t("role")]} />
			<Table.Tbody>
				{machines.map(({ name, dbPort, platform, role }) => (
					<Table.Tr key={`${name} ${dbPort}`}>
						<Table.Td mod="anywhere">{name}</Table.Td>
						<Table.Td>{dbPort === null ? t("unsaid") : String(dbPort)}</Table.Td>
						<Table.Td>{platform || t("unsaid")}</Table.Td>
						<Table.Td>{role || t("unsaid")}</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}

interface ItemChecksProps {
	target: Target;
	search: SearchId;
	/** Index of the item in the search result. */
	place: number;
}

function ItemValidationPart({ target, search, place }: ItemChecksProps) {
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
			<ProblemNotice problem={last.error} />
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
function ItemUsePart({ target, search, place }: ItemChecksProps) {
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
			<ProblemNotice problem={use.error} />
			{use.data === null ? <Text>{t("unknown")}</Text> : null}
			{use.data ? <KnownUse use={use.data} /> : null}
		</CheckPart>
	);
}

/** Maximum number of services that are named; further ones are counted. */
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
			<ProblemNotice problem={problem} />
			{children}
		</Stack>
	);
}
