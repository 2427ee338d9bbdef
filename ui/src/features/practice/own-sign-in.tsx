import { Button, Code, Group, Table, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { CopyField } from "@/components/copy-field";
import { ProblemNotice } from "@/components/problem-notice";
import { Card } from "@/components/section";
import { Heads } from "@/components/wide-table";
import { usePractice } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";

/** URL, users, and fingerprint of the practice site, for adding it like any other site. */
export function OwnSignIn() {
	const { t } = useTranslation("practice");
	const { site, users, fingerprint } = usePractice().data ?? {};
	if (!site || !users) return null;
	return (
		<Card title={t("own.title")}>
			<Text>{t("own.body")}</Text>
			{site.portal ? <CopyField label={t("own.address")} value={site.portal} copyLabel={t("own.copyAddress")} /> : null}
			{fingerprint ? (
				<>
					<CopyField label={t("own.fingerprint")} value={fingerprint} copyLabel={t("own.copyFingerprint")} />
					<Text c="dimmed">{t("own.fingerprintHint")}</Text>
				</>
			) : null}
			<Table layout="fixed" verticalSpacing={4} horizontalSpacing={0} aria-label={t("own.people")}>
				<Heads of={[[t("own.username"), { w: "38%" }], t("own.password")]} />
				<Table.Tbody>
					{users.map(({ username }) => (
						<Table.Tr key={username}>
							<Table.Td mod="anywhere">{username}</Table.Td>
							<Table.Td>
								<OwnPassword username={username} />
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Card>
	);
}

/** Password of a practice user. It is in the window only between "show" and "hide". */
function OwnPassword({ username }: { username: string }) {
	const { t } = useTranslation("practice");
	const reveal = useCommand((backend) => backend.practicePassword(username));
	if (reveal.error) return <ProblemNotice problem={reveal.error} onRetry={() => reveal.mutate()} />;
	const shown = reveal.data !== undefined;
	const Eye = shown ? IconEyeOff : IconEye;
	return (
		<Group gap="xs" wrap="nowrap" justify="space-between">
			{/* Live region, so that the revealed password is read out. */}
			<Code fz="xs" px="xs" py={6} role="status" mod="anywhere">
				{reveal.data ?? t("own.hidden")}
			</Code>
			<Group gap="xs" wrap="nowrap" flex="none">
				{shown ? <CopyButton value={reveal.data} /> : null}
				<Button
					leftSection={<Eye size={14} aria-hidden />}
					loading={reveal.isPending}
					aria-label={t(shown ? "own.hideOf" : "own.showOf", { username })}
					onClick={() => (shown ? reveal.reset() : reveal.mutate())}
				>
					{t(shown ? "own.hide" : "own.show")}
				</Button>
			</Group>
		</Group>
	);
}
