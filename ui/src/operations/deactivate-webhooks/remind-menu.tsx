import { Menu } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, Millis, SiteView } from "@/bridge";
import { MenuButton } from "@/components/menu";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { useCommand } from "@/lib/use-command";
import { presets, presetTime } from "./remind-times";

// Loaded on demand: the calendar is too large for the start.
const PickTime = lazy(() => import("./pick-time"));

export function RemindMenu({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const [picking, setPicking] = useState(false);
	const remind = useCommand(
		(backend, at: Millis | null) => backend.remindMe(entry.id, at),
		(stale) => stale("remindMe", site.id),
		{ onDone: () => setPicking(false) },
	);
	const now = Date.now();
	return (
		<>
			<MenuButton
				position="bottom-start"
				label={t("remind.open")}
				icon={IconBell}
				about={t("remind.label", { service: entry.service })}
				loading={remind.isPending}
			>
				{presets.map((preset) => {
					const at = presetTime(preset, now);
					return (
						<Menu.Item key={preset} onClick={() => remind.mutate(at)}>
							{t(`remind.${preset}`, { at: formatTime(at) })}
						</Menu.Item>
					);
				})}
				<Menu.Item onClick={() => setPicking(true)}>{t("remind.pick")}</Menu.Item>
				{entry.remindAt === null ? null : (
					<>
						<Menu.Divider />
						<Menu.Item onClick={() => remind.mutate(null)}>{t("remind.never")}</Menu.Item>
					</>
				)}
			</MenuButton>
			{picking ? (
				<Suspense>
					<PickTime
						service={entry.service}
						usual={entry.remindAt ?? presetTime("tomorrow", now)}
						busy={remind.isPending}
						onCancel={() => setPicking(false)}
						onPick={remind.mutate}
					/>
				</Suspense>
			) : null}
			{remind.error ? <ProblemNotice problem={remind.error} /> : null}
		</>
	);
}
