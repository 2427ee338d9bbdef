import { Group, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, OperationKey, Parameter, SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { type Brought, useBrought } from "@/lib/navigation";
import { usePreviousValues } from "@/lib/queries/history";
import { IconButton } from "./text";

interface PreviousValuesProps {
	site: SiteView;
	operation: OperationKey;
	/** Fills in parameters by their names in the request. They never include secrets. */
	onFill: (parameters: readonly Parameter[]) => void;
}

/**
 * Button that fills in the values of the last request. Values that were passed to the page, for example by a history
 * entry, are filled in at once.
 */
export function PreviousValues({ site, operation, onFill }: PreviousValuesProps) {
	const { t } = useTranslation("run");
	const last = usePreviousValues(operation, site);
	const { toFill, take } = useBrought(site.id, operation);
	const [filled, setFilled] = useState<Millis | null>(null);
	const fill = (parameters: readonly Parameter[], sentAt: Millis | null) => {
		onFill(parameters);
		setFilled(sentAt);
	};
	const fillIn = useEffectEvent(({ parameters, sentAt }: Brought) => {
		fill(parameters, sentAt);
		take();
	});
	useEffect(() => {
		// Passed words only filter a list and leave the form unchanged.
		if (toFill && toFill.narrow === undefined) fillIn(toFill);
	}, [toFill]);
	if (!last && filled === null) return null;
	return (
		<Group gap="md" mih={30}>
			{last ? (
				<IconButton
					label={t("lastSent.fill", { at: formatTime(last.startedAt) })}
					variant="transparent"
					px={0}
					icon={IconHistory}
					onClick={() => fill(last.parameters, last.startedAt)}
				/>
			) : null}
			<Text c="dimmed" role="status">
				{filled === null ? "" : t("lastSent.filled", { at: formatTime(filled) })}
			</Text>
		</Group>
	);
}
