import { ActionIcon, Button, Group, Menu, SimpleGrid, Text, VisuallyHidden } from "@mantine/core";
import { IconCircleCheck, IconDots, IconFileExport, IconFileImport, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { ShowInFolder } from "@/components/show-in-folder";
import { useNavigation } from "@/lib/navigation";
import { ImportProfiles } from "./profiles/import-profiles";
import { type SaveProfiles, useSaveProfiles } from "./profiles/use-save-profiles";
import { RemoveSite } from "./remove-site";
import { SortableCard } from "./sortable-card";
import { SortableSites } from "./sortable-sites";
import { useSiteOrder } from "./use-site-order";

export function SitesPage({ sites, practiceOffer }: { sites: SiteView[]; practiceOffer: ReactNode }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const [leaving, setLeaving] = useState<SiteView | null>(null);
	const [importing, setImporting] = useState(false);
	const order = useSiteOrder(sites);
	const profiles = useSaveProfiles();
	const own = sites.filter(({ environment: kind }) => kind !== "practice").map(({ id }) => id);
	return (
		<Page
			title={t("title")}
			description={t("description")}
			width="full"
			actions={
				<Group gap="xs">
					<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => go({ page: "add-site" })}>
						{t("add")}
					</Button>
					<Menu position="bottom-end">
						<Menu.Target>
							<ActionIcon variant="default" size={36} aria-label={t("profiles.menu")}>
								<IconDots size={18} stroke={1.5} aria-hidden />
							</ActionIcon>
						</Menu.Target>
						<Menu.Dropdown>
							<Menu.Item
								leftSection={<IconFileExport size={16} aria-hidden />}
								disabled={own.length === 0}
								onClick={() => profiles.save(own)}
							>
								{t("profiles.save", { count: own.length })}
							</Menu.Item>
							<Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => setImporting(true)}>
								{t("profiles.import")}
							</Menu.Item>
						</Menu.Dropdown>
					</Menu>
				</Group>
			}
		>
			<SavedProfiles handle={profiles} />
			{order.error ? <ProblemNotice problem={order.error} /> : null}
			<SortableSites sites={order.shown} onPlace={order.place}>
				<SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" role="list" aria-label={t("title")}>
					{order.shown.map((site, place) => (
						<SortableCard
							key={site.id}
							site={site}
							onUp={place > 0 ? () => order.place(site.id, place - 1) : null}
							onDown={place < sites.length - 1 ? () => order.place(site.id, place + 1) : null}
							onSaveProfile={() => profiles.save([site.id])}
							onRemove={() => setLeaving(site)}
						/>
					))}
				</SimpleGrid>
			</SortableSites>
			<VisuallyHidden role="status">{order.said}</VisuallyHidden>
			{practiceOffer}
			<ImportProfiles opened={importing} onClose={() => setImporting(false)} />
			<RemoveSite site={leaving} onClose={() => setLeaving(null)} />
		</Page>
	);
}

/** What became of the file with the profiles. A closed dialog needs no words. */
function SavedProfiles({ handle: { saving, error, count } }: { handle: SaveProfiles }) {
	const { t } = useTranslation("sites");
	if (error) return <ProblemNotice problem={error} />;
	if (saving?.kind === "failed") return <ProblemNotice problem={saving.problem} />;
	if (saving?.kind !== "saved") return null;
	return (
		<Notice tone="succeeded" icon={IconCircleCheck} role="status" title={t("profiles.saved", { count })}>
			<CopyField value={saving.file.path} copyLabel={t("profiles.copyPath")} isPath>
				<ShowInFolder path={saving.file.path} />
			</CopyField>
			<Text size="sm">{t("profiles.without")}</Text>
		</Notice>
	);
}
