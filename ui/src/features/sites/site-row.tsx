import { Button, Menu, Table } from "@mantine/core";
import {
	IconArrowDown,
	IconArrowUp,
	IconCopy,
	IconFileExport,
	IconPencil,
	IconPlayerStop,
	IconTrash,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { type SiteSummary, type SiteView, useBackend } from "@/bridge";
import { Below, boardClasses as classes, FactCell, NoFactCell } from "@/components/board";
import { ConcernButton } from "@/components/concern-button";
import { IconItem, MoreMenu } from "@/components/menu";
import { SiteDot } from "@/components/site-dot";
import { LinkButton } from "@/components/text";
import { useConcernText } from "@/lib/concern-text";
import { useExportAge } from "@/lib/export-age";
import { formatTime, formatWhen } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { resetSite, useKnownSession, usePractice } from "@/lib/queries/program";
import { useDataRest, usePartText, useRehearsedText } from "@/lib/recoverable-text";
import { useStale } from "@/lib/use-command";
import { dotted, isolated } from "@/messages/isolated";

interface SiteRowProps extends SiteMenuProps {
	/** Recorded state of the site; `null` while it is read. */
	summary: SiteSummary | null;
}

/** Row of a site: its worst concern, and to which time it is recoverable. Sends no request to the site. */
export function SiteRow({ summary, ...menu }: SiteRowProps) {
	const { site } = menu;
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const textOf = useConcernText();
	const worst = summary?.worst ?? null;
	return (
		<Table.Tr aria-label={site.name}>
			<Name site={site} />
			<Attention site={site} summary={summary} />
			<RecoverableTo site={site} summary={summary} />
			<SignedIn site={site} />
			<Table.Td>
				<span className={classes.acts}>
					{worst ? <ConcernButton site={site} concern={worst} text={textOf(site, worst)} /> : null}
					<Button
						className={worst ? (classes.wideOnly ?? "") : ""}
						aria-label={t("card.openLabel", { site: site.name })}
						onClick={() => go({ page: "overview", site: site.id })}
					>
						{t("card.open")}
					</Button>
					<SiteMenu {...menu} />
				</span>
			</Table.Td>
		</Table.Tr>
	);
}

/** Memoized: rendering these cells for each summary takes long with a hundred rows. */
const Name = memo(function Name({ site }: { site: SiteView }) {
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const open = () => go({ page: "overview", site: site.id });
	return (
		<Table.Td>
			<span className={classes.fact}>
				<SiteDot color={site.color} />
				<LinkButton fw={600} c="inherit" ta="start" onClick={open}>
					{site.name}
				</LinkButton>
			</span>
			<Below>
				{dotted(t(`common:kind.${site.environment}`), partsOf(site), site.readOnly ? t("form.readOnly") : "")}
			</Below>
		</Table.Td>
	);

	function partsOf({ portal, servers }: SiteView): string {
		const count = servers.length;
		if (portal === null) return t("list.servers", { count });
		return count === 0 ? t("list.portal") : t("list.portalAndServers", { count });
	}
});

function Attention({ site, summary }: { site: SiteView; summary: SiteSummary | null }) {
	const { t } = useTranslation("sites");
	const textOf = useConcernText();
	const head = t("attention.title");
	if (summary === null) return <Table.Td data-head={head} />;
	const { worst, more, checkedAt, isChecked } = summary;
	const checked =
		checkedAt === null ? t("attention.neverChecked") : t("attention.checked", { at: formatTime(checkedAt) });
	if (worst === null) {
		// A site that was never checked might have unknown concerns.
		return isChecked ? (
			<FactCell head={head} tone="succeeded" below={checked} fact={t("attention.nothing")} />
		) : (
			<FactCell head={head} dimmed below={checked} fact={t("attention.nothingKnown")} />
		);
	}
	const text = textOf(site, worst);
	const others = more > 0 ? t("attention.more", { count: more }) : "";
	return (
		<FactCell head={head} tone={worst.tone} below={dotted(text.when, others, checked)} fact={<b>{text.title}</b>} />
	);
}

function RecoverableTo({ site, summary }: { site: SiteView; summary: SiteSummary | null }) {
	const { t } = useTranslation("sites");
	const ageOf = useExportAge();
	const restOf = useDataRest();
	const partText = usePartText();
	const textOf = useRehearsedText();
	const head = t("list.recoverable");
	if (summary === null) return <Table.Td data-head={head} />;
	const { to, parts } = summary.recoverable;
	if (to.kind === "notOffered") return <NoFactCell head={head} why={t("board.noExports")} />;
	const { rehearsed } = summary.recoverable;
	const how = rehearsed === null ? "" : t("list.rehearsed", { how: textOf(rehearsed) });
	const rest = dotted(restOf(summary.recoverable), how);
	if (to.kind === "time") {
		const { tone, below } = ageOf(site, to.at, to.expectedBy);
		return <FactCell head={head} tone={tone} below={dotted(below, rest)} fact={formatWhen(to.at)} />;
	}
	const wrong = parts.map((part) => partText(site, part)).filter(Boolean);
	const others = wrong.length - 1;
	const more = others > 0 ? t("attention.more", { count: others }) : "";
	return (
		<FactCell
			head={head}
			dimmed
			below={dotted(wrong[0] ?? "", more, how)}
			fact={t(to.kind === "no" ? "list.no" : "board.notKnown")}
		/>
	);
}

/**
 * Current session and its expiration, or the last account. Sends no request to the site: after a start, it is not known
 * whether the last session is still valid.
 */
const SignedIn = memo(function SignedIn({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const session = useKnownSession(site);
	const head = t("list.signedIn");
	if (session) {
		const { expiresAt } = session;
		return (
			<FactCell
				head={head}
				below={expiresAt === null ? t("board.noExpiry") : t("board.until", { at: formatTime(expiresAt) })}
				fact={isolated(session.username)}
			/>
		);
	}
	return (
		<FactCell
			head={head}
			dimmed
			below={site.username ? t("card.lastUser", { username: site.username }) : t("card.never")}
			fact={t(session === undefined && site.username ? "board.notKnown" : "board.notSignedIn")}
		/>
	);
});

interface SiteMenuProps {
	site: SiteView;
	/** Moves the site up or down; `null` at the end of the list. */
	onUp: (() => void) | null;
	onDown: (() => void) | null;
	onSaveProfile: () => void;
	onRemove: () => void;
}

/** Memoized: every row has a menu. */
export const SiteMenu = memo(function SiteMenu({ site, onUp, onDown, onSaveProfile, onRemove }: SiteMenuProps) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	return (
		<MoreMenu label={t("card.menu", { site: site.name })}>
			<IconItem label={t("card.edit")} icon={IconPencil} onClick={() => go({ page: "edit-site", site: site.id })} />
			{site.environment === "practice" ? (
				<StopPractice />
			) : (
				<>
					<IconItem
						label={t("card.duplicate")}
						icon={IconCopy}
						onClick={() => go({ page: "edit-site", site: site.id, copy: true })}
					/>
					<IconItem label={t("card.saveProfile")} icon={IconFileExport} onClick={onSaveProfile} />
				</>
			)}
			<Menu.Divider />
			<IconItem label={t("card.up")} icon={IconArrowUp} disabled={onUp === null} onClick={() => onUp?.()} />
			<IconItem label={t("card.down")} icon={IconArrowDown} disabled={onDown === null} onClick={() => onDown?.()} />
			<Menu.Divider />
			<IconItem label={t("card.remove")} icon={IconTrash} onClick={onRemove} />
		</MoreMenu>
	);
});

function StopPractice() {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const practice = usePractice().data?.site.id;
	const stop = useMutation({
		mutationFn: () => backend.stopPractice(),
		onSettled: () => {
			// The session continues at the next start. Until then, the site does not respond, and its data is outdated.
			if (practice !== undefined) resetSite(queries, practice);
			return stale("stopPractice");
		},
	});
	return (
		<IconItem
			label={t("card.stop")}
			icon={IconPlayerStop}
			disabled={practice === undefined}
			onClick={() => stop.mutate()}
		/>
	);
}
