import { Button, Stack, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { IconFileExport, IconFileImport, IconPlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteId, type SiteSummary, type SiteView, useBackend } from "@/bridge";
import { Board } from "@/components/board";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { IconItem, MoreMenu } from "@/components/menu";
import { Notice, ProblemNotice } from "@/components/notice";
import { Page } from "@/components/page";
import { ShowInFolder } from "@/components/saved-file";
import { IconButton, Lines } from "@/components/text";
import { faultText, labelled, useFormFaults } from "@/lib/drafts";
import { useNavigation } from "@/lib/navigation";
import { operationFor, useOperationUis } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { forgetSite, useAllOverviews } from "@/lib/queries/program";
import { useUnsavedInvitations } from "@/lib/queries/site";
import { targetOf } from "@/lib/target";
import { useCommand, useStale } from "@/lib/use-command";
import { ExpiresSoon } from "./overview/expires-soon";
import { ImportProfiles } from "./profiles/import-profiles";
import { SiteRow } from "./site-row";

export function SitesPage({ sites, practiceOffer }: { sites: SiteView[]; practiceOffer: ReactNode }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const [leaving, setLeaving] = useState<SiteView | null>(null);
	const [importing, setImporting] = useState(false);
	const order = useSiteOrder(sites);
	const profiles = useSaveProfiles();
	const overviews = useAllOverviews();
	const { shown, place: move } = order;
	const { save } = profiles;
	// Stable while the sites stay, so that menus are not rendered again for new summaries.
	const menus = useMemo(
		() =>
			shown.map((site, place) => ({
				site,
				onUp: place > 0 ? () => move(site.id, place - 1) : null,
				onDown: place < shown.length - 1 ? () => move(site.id, place + 1) : null,
				onSaveProfile: () => save([site.id]),
				onRemove: () => setLeaving(site),
			})),
		[shown, move, save],
	);
	const own = sites.filter(({ environment: kind }) => kind !== "practice").map(({ id }) => id);
	return (
		<Page
			title={t("title")}
			description={t("description")}
			width="wide"
			actions={
				<>
					<IconButton label={t("add")} variant="filled" icon={IconPlus} onClick={() => go({ page: "add-site" })} />
					<MoreMenu label={t("profiles.menu")}>
						<IconItem
							label={t("profiles.save", { count: own.length })}
							icon={IconFileExport}
							disabled={own.length === 0}
							onClick={() => profiles.save(own)}
						/>
						<IconItem label={t("profiles.import")} icon={IconFileImport} onClick={() => setImporting(true)} />
					</MoreMenu>
				</>
			}
		>
			<SavedProfiles handle={profiles} />
			<ProblemNotice problem={order.error} />
			<ProblemNotice problem={overviews.error} />
			<Board
				kind="sites"
				label={t("title")}
				heads={[t("list.site"), t("attention.title"), t("list.recoverable"), t("list.signedIn"), ""]}
			>
				{menus.map((menu) => (
					<SiteRow
						key={menu.site.id}
						{...menu}
						summary={overviews.data?.find((one) => one.site === menu.site.id) ?? null}
					/>
				))}
			</Board>
			<VisuallyHidden role="status">{order.said}</VisuallyHidden>
			{overviews.data ? <ExpiresOnAllSites sites={sites} summaries={overviews.data} /> : null}
			{practiceOffer}
			<ImportProfiles opened={importing} onClose={() => setImporting(false)} />
			<RemoveSite site={leaving} onClose={() => setLeaving(null)} />
		</Page>
	);
}

/** List of what expires on all sites, the next expiration first. */
function ExpiresOnAllSites({ sites, summaries }: { sites: readonly SiteView[]; summaries: readonly SiteSummary[] }) {
	const { t } = useTranslation("sites");
	const rows = summaries.flatMap(({ site: id, expires }) => {
		const site = sites.find((one) => one.id === id);
		return site ? expires.map((expiry) => ({ site, expiry })) : [];
	});
	const sorted = rows.toSorted((one, next) => one.expiry.at - next.expiry.at);
	const count = summaries.reduce((sum, { expiryGaps }) => sum + expiryGaps, 0);
	const unknown = count === 0 ? [] : [t("expires.notKnownOf", { count })];
	return <ExpiresSoon rows={sorted} namesSites unknown={unknown} />;
}

/** Result of saving profiles; renders nothing if the dialog was closed. */
function SavedProfiles({ handle: { saving, error, count } }: { handle: SaveProfiles }) {
	const { t } = useTranslation("sites");
	if (error) return <ProblemNotice problem={error} />;
	if (saving?.kind === "failed") return <ProblemNotice problem={saving.problem} />;
	if (saving?.kind !== "saved") return null;
	return (
		<Notice tone="succeeded" title={t("profiles.saved", { count })}>
			<CopyField value={saving.file.path} copyLabel={t("profiles.copyPath")} isPath>
				<ShowInFolder path={saving.file.path} />
			</CopyField>
			<Text>{t("profiles.without")}</Text>
		</Notice>
	);
}

function useSaveProfiles() {
	const save = useCommand((backend, sites: SiteId[]) => backend.saveProfiles(sites));
	return {
		save: save.mutate,
		saving: save.data ?? null,
		error: save.error,
		count: save.variables?.length ?? 0,
	};
}

type SaveProfiles = ReturnType<typeof useSaveProfiles>;

/** Moves a site in the list and saves the order. */
function useSiteOrder(sites: readonly SiteView[]) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const queries = useQueryClient();
	const [said, setSaid] = useState("");
	const { mutate, ...order } = useMutation({
		mutationFn: (ids: SiteId[]) => backend.orderSites(ids),
		onSuccess: (ordered) => queries.setQueryData(queryKeys.sites, ordered),
	});
	// Shows the new order while it is being saved.
	const wanted = order.isPending ? order.variables : null;
	const shown = useMemo(
		() => (wanted ? sites.toSorted((one, other) => wanted.indexOf(one.id) - wanted.indexOf(other.id)) : sites),
		[sites, wanted],
	);
	const place = useCallback(
		(site: SiteId, to: number) => {
			const ids = shown.map(({ id }) => id).filter((id) => id !== site);
			ids.splice(to, 0, site);
			mutate(ids, {
				onSuccess: () =>
					setSaid(
						t("card.moved", {
							site: shown.find(({ id }) => id === site)?.name ?? "",
							place: to + 1,
							count: ids.length,
						}),
					),
			});
		},
		[shown, mutate, t],
	);
	return { shown, place, said, error: order.error };
}

/** Confirmation before a site is removed, with what is removed and what stays. */
export function RemoveSite({ site, onClose }: { site: SiteView | null; onClose: () => void }) {
	return site ? <Question key={site.id} site={site} onClose={onClose} /> : null;
}

function Question({ site, onClose }: { site: SiteView; onClose: () => void }) {
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const [reason, setReason] = useState("");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const uis = useOperationUis();
	const { go, leave } = useNavigation();
	const kept = useUnsavedInvitations(site.id, { staleTime: 0 });
	const unsaved = kept.data?.length ?? 0;
	const remove = useMutation({
		mutationFn: () => backend.removeSite(site.id, reason),
		onSuccess: async () => {
			leave(site.id);
			forgetSite(queries, site.id);
			onClose();
			await stale("removeSite");
		},
	});
	// A read-only site must be unlocked first, and the unlock has a reason of its own.
	const takesReason = site.environment === "production" && !site.readOnly;
	const problem = useFormFaults(remove.error);
	return (
		<Dialog
			opened
			onClose={onClose}
			title={t("remove.title", { site: site.name })}
			confirm={unsaved > 0 ? t("remove.confirmUnsaved", { count: unsaved }) : t("remove.confirm")}
			irreversible
			ready={!kept.isPending}
			busy={remove.isPending}
			onConfirm={() => remove.mutate()}
		>
			<Lines spacing={4} lines={[t("remove.goes"), t("remove.stays"), t("remove.untouched")]} />
			{unsaved > 0 ? (
				<Stack gap="xs" role="alert" align="flex-start">
					<Text fw={600}>{t("remove.unsaved", { count: unsaved })}</Text>
					<Button
						onClick={() => {
							onClose();
							const key = operationFor(uis, "unsavedInvitations");
							go({ page: "operation", ...targetOf(key, site), key });
						}}
					>
						{t("remove.saveFirst")}
					</Button>
				</Stack>
			) : null}
			{takesReason ? (
				<TextInput
					{...labelled(t, "remove.reason")}
					data-path="reason"
					value={reason}
					onChange={(event) => setReason(event.currentTarget.value)}
					error={faultText(common, remove.error, "reason")}
				/>
			) : null}
			<ProblemNotice problem={problem} />
		</Dialog>
	);
}
