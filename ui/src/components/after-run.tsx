import { Button, Code, Group, Stack, Table, Text } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordDetails, RecordId, SentRequest } from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { useRecord } from "@/lib/queries/history";
import { useSaveRecord } from "@/lib/use-saving";
import { Foldable } from "./foldable";
import { LoadingRows, ProblemNotice } from "./notice";
import { SaveStatus } from "./saved-file";
import { IconButton } from "./text";

interface AfterRunProps {
	/** `null` if there is no history entry. */
	record: RecordId | null;
	/** Button that brings the form back; `null` if the form is still shown. */
	again: { label: string; onAgain: () => void } | null;
	/** Whether the requests and the response are offered. */
	wire?: boolean;
}

/** Actions below every result: run again, audit package, request and response. */
export function AfterRun({ record, again, wire = true }: AfterRunProps) {
	const { t } = useTranslation("run");
	const save = useSaveRecord(record);
	if (record === null && again === null) return null;
	return (
		<Stack gap="xs">
			<Group gap="xs">
				{again ? <Button onClick={again.onAgain}>{again.label}</Button> : null}
				{record ? (
					<IconButton
						label={t("auditPackage.save")}
						icon={IconFileZip}
						loading={save.isPending}
						onClick={() => save.mutate("auditPackage")}
					/>
				) : null}
			</Group>
			<SaveStatus save={save} label={t("auditPackage.saved")} dismissed={t("auditPackage.dismissed")} />
			{record && wire ? <Wire record={record} /> : null}
		</Stack>
	);
}

/** Requests and response of an entry. They are read only when the section is expanded. */
export function Wire({ record }: { record: RecordId }) {
	const { t } = useTranslation("run");
	const [wanted, setWanted] = useState(false);
	const details = useRecord(wanted ? record : null);
	return (
		<Foldable title={t("wire.title")} onOpen={() => setWanted(true)}>
			<Stack gap="md">
				{details.isPending ? <LoadingRows rows={2} /> : null}
				<ProblemNotice problem={details.error} onRetry={() => void details.refetch()} />
				{details.data?.requests.map((request, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: an entry never changes and can contain equal requests
					<OneRequest key={index} request={request} />
				))}
				{details.data ? <Response details={details.data} /> : null}
			</Stack>
		</Foldable>
	);
}

function OneRequest({ request }: { request: SentRequest }) {
	return (
		<Stack gap={4}>
			<Code mod="anywhere">{`${request.method} ${request.address}`}</Code>
			<Table variant="vertical" layout="fixed" withTableBorder aria-label={request.address}>
				<Table.Tbody>
					{request.form.map(({ name, value }) => (
						<Table.Tr key={name}>
							<Table.Th w="40%" scope="row">
								{name}
							</Table.Th>
							<Table.Td mod="anywhere">{value}</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Stack>
	);
}

function Response({ details: { entry, response: text, responseTruncated, isDamaged } }: { details: RecordDetails }) {
	const { t } = useTranslation("run");
	if (isDamaged) return <Text>{t("wire.damaged")}</Text>;
	if (text === null) return <Text c="dimmed">{t(entry.hasReport ? "wire.answerIsReport" : "wire.noAnswer")}</Text>;
	return (
		<Stack gap="xs" align="flex-start">
			<Text fw={600}>{t("wire.answer")}</Text>
			<Code block w="100%" mah={320} mod="anywhere" style={{ whiteSpace: "pre-wrap", overflow: "auto" }} tabIndex={0}>
				{pretty(text)}
			</Code>
			{responseTruncated ? <Text c="dimmed">{t("wire.cut")}</Text> : null}
			<CopyButton value={text} label={t("wire.copy")} />
		</Stack>
	);
}

/** Formats JSON on several lines; other text is returned unchanged. */
function pretty(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/** Hides a result that stays after its page was left. */
export function HideResult({ onHide }: { onHide: () => void }) {
	const { t } = useTranslation("run");
	return (
		<Group>
			<Button onClick={onHide}>{t("hideResult")}</Button>
		</Group>
	);
}
