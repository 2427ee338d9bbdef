import { Button, SimpleGrid } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { Page } from "@/components/page";
import { RemoveSite } from "./remove-site";
import { SiteCard } from "./site-card";
import { SiteEditor } from "./site-editor";

type Dialog = { kind: "add" } | { kind: "edit" | "remove"; site: SiteView };

export function SitesPage({ sites, practiceOffer }: { sites: SiteView[]; practiceOffer: ReactNode }) {
	const { t } = useTranslation("sites");
	const [dialog, setDialog] = useState<Dialog | null>(null);
	const close = () => setDialog(null);
	return (
		<Page
			title={t("title")}
			description={t("description")}
			width="full"
			actions={
				<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ kind: "add" })}>
					{t("add")}
				</Button>
			}
		>
			<SimpleGrid cols={{ base: 2, lg: 3 }} spacing="md" role="list" aria-label={t("title")}>
				{sites.map((site) => (
					<SiteCard
						key={site.id}
						site={site}
						onEdit={() => setDialog({ kind: "edit", site })}
						onRemove={() => setDialog({ kind: "remove", site })}
					/>
				))}
			</SimpleGrid>
			{practiceOffer}
			<SiteEditor
				opened={dialog?.kind === "add" || dialog?.kind === "edit"}
				site={dialog?.kind === "edit" ? dialog.site : null}
				onClose={close}
			/>
			<RemoveSite site={dialog?.kind === "remove" ? dialog.site : null} onClose={close} />
		</Page>
	);
}
