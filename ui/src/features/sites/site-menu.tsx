import { ActionIcon, Menu } from "@mantine/core";
import {
	IconArrowDown,
	IconArrowUp,
	IconCopy,
	IconDots,
	IconFileExport,
	IconPencil,
	IconPlayerStop,
	IconTrash,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { resetSite, usePractice } from "@/lib/queries/program";
import { useStale } from "@/lib/stale";

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
		<Menu position="bottom-end">
			<Menu.Target>
				<ActionIcon variant="default" aria-label={t("card.menu", { site: site.name })}>
					<IconDots size={16} stroke={1.5} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item
					leftSection={<IconPencil size={16} aria-hidden />}
					onClick={() => go({ page: "edit-site", site: site.id })}
				>
					{t("card.edit")}
				</Menu.Item>
				{site.environment === "practice" ? (
					<StopPractice />
				) : (
					<>
						<Menu.Item
							leftSection={<IconCopy size={16} aria-hidden />}
							onClick={() => go({ page: "edit-site", site: site.id, copy: true })}
						>
							{t("card.duplicate")}
						</Menu.Item>
						<Menu.Item leftSection={<IconFileExport size={16} aria-hidden />} onClick={onSaveProfile}>
							{t("card.saveProfile")}
						</Menu.Item>
					</>
				)}
				<Menu.Divider />
				<Menu.Item
					leftSection={<IconArrowUp size={16} aria-hidden />}
					disabled={onUp === null}
					onClick={() => onUp?.()}
				>
					{t("card.up")}
				</Menu.Item>
				<Menu.Item
					leftSection={<IconArrowDown size={16} aria-hidden />}
					disabled={onDown === null}
					onClick={() => onDown?.()}
				>
					{t("card.down")}
				</Menu.Item>
				<Menu.Divider />
				<Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onRemove}>
					{t("card.remove")}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
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
		<Menu.Item
			leftSection={<IconPlayerStop size={16} aria-hidden />}
			disabled={practice === undefined}
			onClick={() => stop.mutate()}
		>
			{t("card.stop")}
		</Menu.Item>
	);
}
