import { Button, Group, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Key, Millis, Parameter, SiteView } from "@/bridge";
import { useDraft } from "@/lib/drafts";
import { formatTime } from "@/lib/format";
import { useBrought, useLastSent } from "@/lib/last-parameters";
import { type Place, useNavigation } from "@/lib/navigation";

interface LastSentProps {
	site: SiteView;
	operation: Key;
	/** Puts the parameters, by their names in the request, into the form. Secrets are never among them. */
	onFill: (parameters: readonly Parameter[]) => void;
}

/** Offers what was sent last. What the person came here with, from the history or a report, is filled in at once. */
export function LastSent({ site, operation, onFill }: LastSentProps) {
	const { t } = useTranslation("run");
	const last = useLastSent(site.id, operation);
	const brought = useBrought(site.id, operation);
	const { place } = useNavigation();
	const taken = useDraft<Place>(`${site.id} ${operation} brought`);
	const [filled, setFilled] = useState<Millis | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each arrival, whatever is typed afterwards
	useEffect(() => {
		// A form comes back after its run, and by then the person may have changed what was filled in.
		if (!brought || taken.kept === place) return;
		taken.keep(place);
		onFill(brought.values);
		setFilled(brought.at?.startedAt ?? null);
	}, [brought === null, place]);
	if (!last && filled === null) return null;
	return (
		<Group gap="md" mih={22}>
			{last ? (
				<Button
					variant="transparent"
					size="compact-sm"
					px={0}
					leftSection={<IconHistory size={16} aria-hidden />}
					onClick={() => {
						onFill(last.parameters);
						setFilled(last.startedAt);
					}}
				>
					{t("lastSent.fill", { at: formatTime(last.startedAt) })}
				</Button>
			) : null}
			<Text size="sm" c="dimmed" role="status">
				{filled === null ? "" : t("lastSent.filled", { at: formatTime(filled) })}
			</Text>
		</Group>
	);
}
