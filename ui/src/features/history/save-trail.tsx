import { Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { HistorySearch, TrailFormat } from "@/bridge";
import { SaveMenu } from "@/components/menu";
import { useCommand } from "@/lib/use-command";

const formats: readonly TrailFormat[] = ["jsonLines", "syslog"];

/** Saves the audit trail, or only the events of some kinds. */
export function useSaveTrail(search: HistorySearch, kinds: readonly string[]) {
	return useCommand((backend, format: TrailFormat) => backend.saveTrail(search, [...kinds], format));
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
		<SaveMenu
			position="bottom-start"
			label={t("trail.save.button")}
			formats={formats}
			nameOf={(format) => t(`trail.save.${format}`)}
			save={save}
		/>
	);
}
