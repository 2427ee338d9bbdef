import { Menu } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DeactivationView, type Millis, type SiteView, useBackend } from "@/bridge";
import { MenuButton } from "@/components/menu";
import { ProblemNotice } from "@/components/problem-notice";
import { formatTime } from "@/lib/format";
import { useStale } from "@/lib/stale";
import { presets, presetTime } from "./remind-times";

// Loaded on demand: the calendar is too large for the start.
const PickTime = lazy(() => import("./pick-time"));

export function RemindMenu({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const backend = useBackend();
	const stale = useStale();
	const [picking, setPicking] = useState(false);
	const remind = useMutation({
		mutationFn: (at: Millis | null) => backend.remindMe(entry.id, at),
		onSuccess: () => {
			setPicking(false);
			void stale("remindMe", site.id);
		},
	});
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
