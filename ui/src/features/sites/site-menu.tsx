import { Menu } from "@mantine/core";
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
import { type SiteView, useBackend } from "@/bridge";
import { IconItem, MoreMenu } from "@/components/menu";
import { useNavigation } from "@/lib/navigation";
import { resetSite, usePractice } from "@/lib/queries/program";
import { useStale } from "@/lib/use-command";

export interface SiteMenuProps {
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
			<IconItem icon={IconPencil} onClick={() => go({ page: "edit-site", site: site.id })}>
				{t("card.edit")}
			</IconItem>
			{site.environment === "practice" ? (
				<StopPractice />
			) : (
				<>
					<IconItem icon={IconCopy} onClick={() => go({ page: "edit-site", site: site.id, copy: true })}>
						{t("card.duplicate")}
					</IconItem>
					<IconItem icon={IconFileExport} onClick={onSaveProfile}>
						{t("card.saveProfile")}
					</IconItem>
				</>
			)}
			<Menu.Divider />
			<IconItem icon={IconArrowUp} disabled={onUp === null} onClick={() => onUp?.()}>
				{t("card.up")}
			</IconItem>
			<IconItem icon={IconArrowDown} disabled={onDown === null} onClick={() => onDown?.()}>
				{t("card.down")}
			</IconItem>
			<Menu.Divider />
			<IconItem icon={IconTrash} onClick={onRemove}>
				{t("card.remove")}
			</IconItem>
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
		<IconItem icon={IconPlayerStop} disabled={practice === undefined} onClick={() => stop.mutate()}>
			{t("card.stop")}
		</IconItem>
	);
}
