import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { formatSize } from "@/lib/format";
import { queryKeys } from "@/lib/queries";

/** How large a stored file is, and where it is on this computer, as far as it is known. */
export function StoredFacts({ site, upload }: { site: SiteView; upload: string }) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const file = useQuery({
		queryKey: queryKeys.storedFile(site.id, upload),
		queryFn: () => backend.storedFile(site.id, upload),
	}).data;
	if (!file) return null;
	return (
		<Text size="sm" role="status" style={{ overflowWrap: "anywhere" }}>
			{file.size === null ? t("storedSizeUnknown") : t("storedSize", { size: formatSize(file.size) })}
			{file.local === null ? null : ` ${t("storedLocal", { path: file.local })}`}
		</Text>
	);
}
