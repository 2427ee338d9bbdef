import { ActionIcon, Group, Table, Text } from "@mantine/core";
import {
	IconArrowsDiff,
	IconChevronDown,
	IconChevronRight,
	IconCircleMinus,
	IconCirclePlus,
	type IconProps,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { Change, DifferenceView, SiteView } from "@/bridge";
import { FactCell } from "@/components/board";
import { Time } from "@/components/time";
import { formatNumber, formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-text";
import type { SnapshotPair } from "@/lib/queries/changes";
import { OpenedDifference } from "./opened-difference";

const icons: Record<Change, [ComponentType<IconProps>, string]> = {
	missing: [IconCircleMinus, "var(--tone-failed)"],
	differs: [IconArrowsDiff, "var(--tone-warnings)"],
	added: [IconCirclePlus, "var(--tone-warnings)"],
};

interface DifferenceRowProps {
	site: SiteView;
	pair: SnapshotPair;
	times: { from: string; to: string };
	difference: DifferenceView;
	isHistoryKnown: boolean;
	opened: boolean;
	onOpen: () => void;
}

/** A resource that differs: what and where, from and to, since when, and by whom if the app did it. */
export function DifferenceRow(props: DifferenceRowProps) {
	const { site, pair, times, difference, isHistoryKnown, opened, onOpen } = props;
	const { t } = useTranslation("changes");
	const { key, server, change, firstSeen, accepted } = difference;
	const [Icon, tone] = icons[change];
	const Chevron = opened ? IconChevronDown : IconChevronRight;
	return (
		<>
			<Table.Tr>
				<Table.Td data-head={t("change")}>
					<Group gap={4} wrap="nowrap">
						<Icon size={16} color={tone} aria-hidden />
						<Text component="span">{t(`changes.${change}`)}</Text>
					</Group>
					{accepted ? (
						<Text size="xs" c="dimmed">
							{t("isAccepted")}
						</Text>
					) : null}
				</Table.Td>
				<FactCell head={t("what")} below={server ?? t("portal")}>
					{key.name}
				</FactCell>
				<Value head={times.from} difference={difference} side="before" />
				<Value head={times.to} difference={difference} side="after" />
				<FactCell head={t("firstSeen")} dimmed={firstSeen === null} below={null}>
					{firstSeen === null ? t("notKnown") : <Time at={firstSeen} />}
				</FactCell>
				<By difference={difference} isHistoryKnown={isHistoryKnown} />
				<Table.Td>
					<ActionIcon
						variant="subtle"
						aria-expanded={opened}
						aria-label={t("open", { name: key.name })}
						onClick={onOpen}
					>
						<Chevron size={16} aria-hidden />
					</ActionIcon>
				</Table.Td>
			</Table.Tr>
			{opened ? (
				<Table.Tr>
					<Table.Td colSpan={7}>
						<OpenedDifference site={site} pair={pair} times={times} difference={difference} />
					</Table.Td>
				</Table.Tr>
			) : null}
		</>
	);
}

interface ValueProps {
	head: string;
	difference: DifferenceView;
	side: "before" | "after";
}

/** The first field that differs, and how many more do. */
function Value({ head, difference: { change, first, fields, server }, side }: ValueProps) {
	const { t } = useTranslation("changes");
	if (first === null) {
		const isThere = (change === "missing") === (side === "before");
		const place = server === null ? "portal" : "server";
		return (
			<FactCell head={head} dimmed={!isThere} below={null}>
				{isThere ? t("there") : t(`notThere.${place}`)}
			</FactCell>
		);
	}
	const value = first[side];
	const more = fields - 1;
	return (
		<FactCell
			head={head}
			dimmed={first.isSecret || !value}
			below={more === 0 ? first.field : t("more", { field: first.field, count: more, formatted: formatNumber(more) })}
		>
			{first.isSecret ? t("secret") : value || t("nothing")}
		</FactCell>
	);
}

function By({ difference: { by }, isHistoryKnown }: Pick<DifferenceRowProps, "difference" | "isHistoryKnown">) {
	const { t } = useTranslation("changes");
	const nameOf = useHistoryName();
	const head = t("by");
	if (by) {
		return (
			<FactCell head={head} below={[formatTime(by.at), by.username].filter(Boolean).join(", ")}>
				{nameOf(by.operation)}
			</FactCell>
		);
	}
	return isHistoryKnown ? (
		<FactCell head={head} below={t("userNotReported")}>
			{t("notByApp")}
		</FactCell>
	) : (
		<FactCell head={head} dimmed below={null}>
			{t("notKnown")}
		</FactCell>
	);
}
