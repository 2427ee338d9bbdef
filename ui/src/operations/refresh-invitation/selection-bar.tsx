import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { InvitationView, SiteView } from "@/bridge";
import { ChangeButton } from "@/components/change-button";
import { Notice } from "@/components/notice";
import { pageWidths } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { RequestPreview } from "@/components/request-preview";
import { formatList } from "@/lib/format";
import { useInvitations } from "@/lib/queries/site";
import { useReadFirst } from "@/lib/use-read-first";
import { Confirm } from "./confirm";
import { formOf, keyOf, type Order } from "./order";
import classes from "./selection-bar.module.css";

interface SelectionBarProps {
	site: SiteView;
	/** Those that are picked. */
	invitations: readonly InvitationView[];
	onClear: () => void;
	onOrder: (order: Order) => void;
}

/** What is picked, what becomes of it, and the button; it stays in sight while the list is long. */
export function SelectionBar({ site, invitations, onClear, onOrder }: SelectionBarProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = invitations.length;
	const [only] = invitations;
	const [asked, { open, close }] = useDisclosure();
	/** Those that were selected when the button was pressed. */
	const wanted = useRef(invitations);
	/** Those of them that the portal no longer lists: then nothing is asked. */
	const [gone, setGone] = useState<readonly InvitationView[]>([]);
	const read = useReadFirst(useInvitations(site.id), (fresh) => {
		const lost = wanted.current.filter((one) => !fresh?.some((now) => keyOf(now) === keyOf(one)));
		setGone(lost);
		if (lost.length === 0) open();
	});
	const submit = () => {
		if (count > 1) onOrder({ kind: "batch", invitations });
		else if (only) onOrder({ kind: "one", form: formOf(only), invitation: only });
	};
	return (
		<>
			<Paper withBorder px="md" py="sm" className={classes.bar ?? ""} mod={{ picked: count > 0 }}>
				<Group justify="space-between" gap="xs">
					<Text fw={600} role="status">
						{count === 0 ? t("pickFirst") : t("picked", { count })}
					</Text>
					<Group gap="xs">
						{count > 1 ? (
							<Button variant="subtle" onClick={onClear}>
								{t("clear")}
							</Button>
						) : null}
						<ChangeButton
							site={site}
							disabled={count === 0}
							loading={read.isReading}
							onClick={() => {
								setGone([]);
								wanted.current = invitations;
								read.ask();
							}}
						>
							{count > 1 ? t("submitSeveral", { count }) : t("submit")}
						</ChangeButton>
					</Group>
				</Group>
				<Confirm opened={asked} onClose={close} site={site} invitations={invitations} onConfirm={submit} />
			</Paper>
			{read.problem ? <ProblemNotice problem={read.problem} /> : null}
			{gone.length > 0 ? (
				<Notice tone="warnings" icon={IconAlertTriangle} role="alert" title={t("gone", { count: gone.length })}>
					<Text style={{ overflowWrap: "anywhere" }}>
						{t("goneWhat", { invitations: formatList(gone.map(({ guestPortalUrl }) => guestPortalUrl)) })}
					</Text>
				</Notice>
			) : null}
			{count > 0 ? (
				<Stack gap="xs" maw={pageWidths.form}>
					<Text>{t(count > 1 ? "explainSeveral" : "explain")}</Text>
					<Text c="dimmed">{t("permission")}</Text>
					<RequestPreview site={site} form={{ operation: "refresh_invitation", form: invitations.map(formOf) }} />
				</Stack>
			) : null}
		</>
	);
}
