import { Menu } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, Millis, SiteView } from "@/bridge";
import { MenuButton } from "@/components/menu";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { useCommand } from "@/lib/use-command";

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

const presets = ["hour", "tomorrow", "twoDays", "monday"] as const;
type Preset = (typeof presets)[number];

const morning = 9;

/** Returns the time of a preset, in local time. */
export function presetTime(preset: Preset, now: Millis): Millis {
	if (preset === "hour") return now + 3_600_000;
	const date = new Date(now);
	// Next Monday; on a Monday, the one a week later.
	const days = { tomorrow: 1, twoDays: 2, monday: (8 - date.getDay()) % 7 || 7 }[preset];
	date.setDate(date.getDate() + days);
	date.setHours(morning, 0, 0, 0);
	return date.getTime();
}
