import { Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { SiteForm } from "./site-form";

interface SiteEditorProps {
	opened: boolean;
	/** `null`: a new site. */
	site: SiteView | null;
	onClose: () => void;
}

export function SiteEditor({ opened, site, onClose }: SiteEditorProps) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	return (
		<Modal
			opened={opened}
			onClose={onClose}
			size={660}
			title={site ? t("form.editTitle", { site: site.name }) : t("form.addTitle")}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<SiteForm
				site={site}
				onCancel={onClose}
				onSaved={(saved) => {
					onClose();
					if (!site) go({ page: "overview", site: saved.id });
				}}
			/>
		</Modal>
	);
}
