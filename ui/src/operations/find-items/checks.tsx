import { CloseButton, Group, List, Menu, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconStethoscope } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
	FindItemsForm,
	ItemSearchView,
	Millis,
	RunResult,
	RunView,
	SearchId,
	SearchValidation,
	Target,
} from "@/bridge";
import { MenuButton } from "@/components/menu";
import { Notice, ProblemNotice } from "@/components/notice";
import { RunningCheck } from "@/components/run-panel";
import { LinkButton, Time } from "@/components/text";
import { formatList } from "@/lib/format";
import { useSearchValidation } from "@/lib/queries/items";
import { useRuns } from "@/lib/runs";
import { targetKey } from "@/lib/target";
import { useCommand } from "@/lib/use-command";

/** Maximum number of items that are named; further ones are counted. */
const namedItems = 5;

interface CheckMenuProps {
	target: Target;
	search: ItemSearchView;
	validation: Validation;
	use: FindUse;
}

export function CheckMenu({ target, search, validation, use }: CheckMenuProps) {
	const { t } = useTranslation("findItems", { keyPrefix: "checks" });
	const running = useRunningChecks(target);
	return (
		<MenuButton label={t("open")} icon={IconStethoscope}>
			<Menu.Item disabled={running.validation !== null} onClick={() => validation.mutate(null)}>
				{t("validateAll", { count: search.total })}
			</Menu.Item>
			<Menu.Item disabled={running.use !== null} onClick={() => use.mutate()}>
				{t("findUse")}
			</Menu.Item>
			<Menu.Label>{t("note")}</Menu.Label>
		</MenuButton>
	);
}

interface ChecksProps extends CheckMenuProps {
	/** Scrolls the table to an item. */
	onShow: (path: string) => void;
}

/** Running checks, and the results of the last ones. */
export function Checks({ target, search, validation, use, onShow }: ChecksProps) {
	const { t } = useTranslation("findItems", { keyPrefix: "checks" });
	const running = useRunningChecks(target);
	const last = useSearchValidation(target, search.id);
	const [hidden, setHidden] = useState<Millis | null>(null);
	const at = last.data?.at ?? null;
	const stopped = [validation, use].some(({ data, isPending }) => !isPending && data?.kind === "notSent");
	return (
		<>
			{Object.values(running).map((run) => (run ? <RunningCheck key={run.id} run={run} /> : null))}
			<ProblemNotice problem={validation.error} />
			<ProblemNotice problem={use.error} />
			{stopped ? <Text role="status">{t("stopped")}</Text> : null}
			{use.data?.kind === "done" && running.use === null ? (
				<Text role="status">{t("useFound", { count: use.data.report.read })}</Text>
			) : null}
			{running.validation === null && last.data && at !== null && at !== hidden ? (
				<Verdict validation={last.data} at={at} onShow={onShow} onHide={() => setHidden(at)} />
			) : null}
		</>
	);
}

interface VerdictProps {
	validation: SearchValidation;
	at: Millis;
	onShow: (path: string) => void;
	/** Called when the user hides the result to enlarge the table. */
	onHide: () => void;
}

function Verdict({ validation, at, onShow, onHide }: VerdictProps) {
	const { t } = useTranslation(["findItems", "common", "run"]);
	const { valid, warnings, invalid, notValidated } = validation;
	// Items without a result are neither valid nor invalid, and not counted.
	const count = valid + warnings + invalid;
	const more = warnings + invalid + notValidated - Math.min(namedItems, validation.named.length);
	return (
		<Notice
			tone={invalid + warnings > 0 ? "warnings" : notValidated > 0 ? "unknown" : "succeeded"}
			icon={invalid + warnings + notValidated === 0 ? IconCircleCheck : IconAlertTriangle}
			role="status"
			title={
				count === 0
					? t("checks.noneValidated", { count: notValidated })
					: t("checks.summary", { count, valid: valid + warnings })
			}
		>
			<Stack gap={4}>
				<Group justify="space-between" wrap="nowrap">
					<Text c="dimmed">
						{t("checks.newest")} <Time at={at} />
					</Text>
					<CloseButton aria-label={t("run:hideResult")} onClick={onHide} />
				</Group>
				{warnings > 0 ? <Text>{t("checks.warnings", { count: warnings })}</Text> : null}
				{count > 0 && notValidated > 0 ? <Text>{t("checks.notValidated", { count: notValidated })}</Text> : null}
				{validation.named.length > 0 ? (
					<List>
						{validation.named.slice(0, namedItems).map(({ path, verdict }) => (
							<List.Item key={path}>
								<LinkButton ta="start" mod="anywhere" onClick={() => onShow(path)}>
									{path}
								</LinkButton>
								{` · ${t(`common:validation.${verdict}`)}`}
							</List.Item>
						))}
					</List>
				) : null}
				{more > 0 ? <Text>{t("checks.more", { count: more })}</Text> : null}
			</Stack>
		</Notice>
	);
}

/** Returns the running checks of a server, of every page. Of each kind, one runs at a time. */
export function useRunningChecks(target: Target): Record<"validation" | "use", RunView | null> {
	const here = useRuns().filter((run) => targetKey(run) === targetKey(target));
	const of = (act: RunView["act"]) => here.find((run) => run.act === act) ?? null;
	return { validation: of("validate_data_items"), use: of("find_data_use") };
}

/** Turns a failed run into a rejection, so that it becomes the error of the command. */
async function ending<T>(check: Promise<RunResult<T>>): Promise<RunResult<T>> {
	const ended = await check;
	if (ended.kind === "failed") throw ended.problem;
	return ended;
}

/** Validates an item, or all items of a search if `item` is `null`. */
export function useValidation(target: Target, search: SearchId) {
	return useCommand(
		(backend, item: number | null) => ending(backend.validateItems(target, crypto.randomUUID(), search, item)),
		["validateItems", target],
	);
}

/** Reads from the manifests which services use which data. */
export function useDataUse(target: Target) {
	return useCommand((backend) => ending(backend.findDataUse(target, crypto.randomUUID())), ["findDataUse", target]);
}

type Validation = ReturnType<typeof useValidation>;
type FindUse = ReturnType<typeof useDataUse>;

/** Describes a filter, for example "below /fileShares and type folder". */
export function filterText(t: TFunction<"findItems">, form: FindItemsForm): string {
	const { parentPath, ancestorPath, types, id, isManaged } = form;
	const isEverything = ancestorPath === "/" && !parentPath && !types && !id && isManaged === null;
	if (isEverything) return t("asked.everything");
	const parts = [
		parentPath ? t("asked.parentPath", { path: parentPath }) : null,
		ancestorPath ? t("asked.ancestorPath", { path: ancestorPath }) : null,
		types ? t("asked.types", { types }) : null,
		id ? t("asked.id", { id }) : null,
		isManaged === null ? null : t(isManaged ? "asked.managed" : "asked.notManaged"),
	];
	return formatList(parts.filter((part) => part !== null));
}

/** Types of data store items that have a name in the window. Other types are shown as the server returns them. */
export const knownTypes = [
	"egdb",
	"folder",
	"fgdb",
	"cloudStore",
	"objectStore",
	"nosql",
	"rasterStore",
	"bigDataFileShare",
	"datasource",
] as const;

type KnownType = (typeof knownTypes)[number];

function isKnown(type: string): type is KnownType {
	return knownTypes.some((known) => known === type);
}

/** Returns the name of a type, for example "Enterprise geodatabase". */
export function typeName(t: TFunction<"findItems">, type: string): string {
	if (type === "") return t("unsaid");
	return isKnown(type) ? t(`type.${type}`) : type;
}

/** Returns name and type, for example "Enterprise geodatabase (egdb)"; only the name if they are spelled alike. */
export function typeText(t: TFunction<"findItems">, type: string): string {
	const name = typeName(t, type);
	const isSame = name.replaceAll(" ", "").toLowerCase() === type.toLowerCase();
	return isKnown(type) && !isSame ? t("typed", { name, type }) : name;
}
