import { Box, Button, Group, List, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRestore } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DeactivationView, Problem, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { stillInactive } from "@/lib/active-again";
import { formatList } from "@/lib/format";
import { useActiveAgain } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { useReadFirst } from "@/lib/use-read-first";

interface ReactivateAllProps {
	site: SiteView;
	entries: readonly DeactivationView[];
	/** What stands on the button. */
	label: string;
	busy?: boolean;
	/** What of the log is active again, to be read again before the question. */
	compare: Pick<UseQueryResult<unknown, Problem>, "refetch">;
	onReactivate: (entries: readonly DeactivationView[], reason: string) => void;
}

/** Reactivates the webhooks of all entries at once, after naming them. */
export function ReactivateAll({ site, entries, label, busy = false, compare, onReactivate }: ReactivateAllProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	const [asking, { open, close }] = useDisclosure(false);
	const read = useReadFirst(compare, open);
	const count = entries.length;
	const activeAgain = useActiveAgain(serverOf(site), false);
	return (
		<Group>
			<Button
				variant="filled"
				leftSection={<IconRestore size={14} aria-hidden />}
				loading={busy || read.isReading}
				onClick={read.ask}
			>
				{label}
			</Button>
			{read.problem ? <ProblemNotice problem={read.problem} /> : null}
			<ConfirmDialog
				opened={asking}
				onClose={close}
				title={t("reactivationOfAll.title", { count, site: target })}
				site={site}
				confirm={t("reactivationOfAll.confirm")}
				onConfirm={(_, reason) => onReactivate(entries, reason)}
			>
				<Text>{t("reactivationOfAll.body")}</Text>
				<Box mah={240} tabIndex={0} role="group" aria-label={t("reactivationOfAll.list")} style={{ overflow: "auto" }}>
					<List spacing="xs">
						{entries.map((entry) => (
							<List.Item key={entry.id} style={{ overflowWrap: "anywhere" }}>
								<Text span>{entry.service}</Text>
								<Text c="dimmed">{formatList(stillInactive(entry, activeAgain.get(entry.id) ?? []))}</Text>
							</List.Item>
						))}
					</List>
				</Box>
			</ConfirmDialog>
		</Group>
	);
}
