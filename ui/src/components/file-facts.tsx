import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatSize } from "@/lib/format";
import { useFileFacts } from "@/lib/queries/program";
import { CopyField } from "./copy-field";
import { ShowInFolder } from "./show-in-folder";

/**
 * Folder, size, and checksum of an export that a site on this computer wrote. Size and checksum are omitted if the file
 * cannot be read.
 */
export function FileFacts({ path }: { path: string }) {
	const { t } = useTranslation("run");
	const facts = useFileFacts(path);
	return (
		<Stack gap="xs">
			<ShowInFolder path={path} />
			{facts.data ? (
				<>
					<Text c="dimmed">{t("saving.sizeOnly", { size: formatSize(facts.data.size) })}</Text>
					<CopyField label={t("saving.hash")} value={facts.data.sha256} copyLabel={t("saving.copyHash")} />
				</>
			) : null}
		</Stack>
	);
}
