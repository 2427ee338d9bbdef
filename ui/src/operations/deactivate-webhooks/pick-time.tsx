import "@mantine/dates/styles.layer.css";
import { Text } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import dayjs from "dayjs";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { useClockBelow } from "@/lib/calendar-labels";
import { momentPattern } from "@/lib/format";

interface PickTimeProps {
	service: string;
	usual: Millis;
	busy: boolean;
	onCancel: () => void;
	onPick: (at: Millis) => void;
}

const pickerFormat = "YYYY-MM-DD HH:mm:ss";

/** Dialog for any future date and time. */
export default function PickTime({ service, usual, busy, onCancel, onPick }: PickTimeProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const id = useId();
	const clock = useClockBelow();
	const [value, setValue] = useState<string | null>(null);
	const [missing, setMissing] = useState(false);
	const chosen = value ?? dayjs(usual).format(pickerFormat);
	const at = dayjs(chosen).valueOf();
	const submit = () => {
		const past = !(at > Date.now());
		setMissing(past);
		if (!past) onPick(at);
	};
	return (
		<Dialog
			opened
			onClose={onCancel}
			title={t("remind.title")}
			confirm={t("remind.confirm")}
			busy={busy}
			onConfirm={submit}
		>
			<Text mod="anywhere">{service}</Text>
			<DateTimePicker
				label={t("remind.when")}
				value={chosen}
				onChange={setValue}
				minDate={dayjs().format("YYYY-MM-DD")}
				valueFormat={momentPattern()}
				{...clock}
				weekendDays={[]}
				error={missing ? t("remind.past") : null}
				// Gives the calendar the accessible name of its field.
				id={id}
				popoverProps={{ withinPortal: true, id }}
				data-autofocus
			/>
		</Dialog>
	);
}
