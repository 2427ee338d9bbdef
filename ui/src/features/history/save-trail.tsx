import { Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type HistorySearch, type TrailFormat, useBackend } from "@/bridge";
import { MenuButton } from "@/components/menu";

const formats: readonly TrailFormat[] = ["jsonLines", "syslog"];

/** Saves the audit trail, or only the events of some kinds. */
export function useSaveTrail(search: HistorySearch, kinds: readonly string[]) {
	const backend = useBackend();
	return useMutation({ mutationFn: (format: TrailFormat) => backend.saveTrail(search, [...kinds], format) });
}

export function SaveTrailItems({ save }: { save: ReturnType<typeof useSaveTrail> }) {
	const { t } = useTranslation("history");
	return formats.map((format) => (
		<Menu.Item key={format} onClick={() => save.mutate(format)}>
			{t(`trail.save.${format}`)}
		</Menu.Item>
	));
}

export function SaveTrail({ save }: { save: ReturnType<typeof useSaveTrail> }) {
	const { t } = useTranslation("history");
	return (
		<MenuButton position="bottom-start" label={t("trail.save.button")} icon={IconDownload} loading={save.isPending}>
			<SaveTrailItems save={save} />
		</MenuButton>
	);
}
