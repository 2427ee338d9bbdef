import { useTranslation } from "react-i18next";
import type { RecordId, SiteView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { LinkButton } from "./text";

/** Leads from the result of an import to what it changed. */
export function ChangesByImport({ site, record }: { site: SiteView; record: RecordId | null }) {
	const { t } = useTranslation("run");
	const { go } = useNavigation();
	if (record === null) return null;
	return (
		<div>
			<LinkButton onClick={() => go({ page: "changes", site: site.id, import: record })}>
				{t("changesByImport")}
			</LinkButton>
		</div>
	);
}
