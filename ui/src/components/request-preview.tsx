import { Button, Code, Group, Stack, Table, Text } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OperationForm, OperationKey, SiteView } from "@/bridge";
import { formatDuration, formatTime } from "@/lib/format";
import { useSignInRequest } from "@/lib/navigation";
import { useRequestPreview, useTokenExpiry } from "@/lib/queries/site";
import { serverOf, targetOf, useTargetNameOf } from "@/lib/target";
import { Foldable } from "./foldable";
import { Notice, ProblemNotice } from "./notice";
import { Breakable, Small } from "./text";

interface RequestPreviewProps {
	site: SiteView;
	/** Current values of the form, complete or not. */
	form: OperationForm;
}

/** Requests shown; the others differ only in their path. */
const shownRequests = 50;

/** Requests that the form will send, as the backend returns them. */
export function RequestPreview({ site, form }: RequestPreviewProps) {
	const { t } = useTranslation("run");
	const [opened, setOpened] = useState(false);
	const name = useTargetNameOf(form.operation, site);
	const target = targetOf(form.operation, site);
	const preview = useRequestPreview(target, form, opened);
	const requests = preview.data ?? [];
	return (
		<Foldable title={t("sent.title")} onOpen={() => setOpened(true)}>
			<Stack gap="xs">
				<ProblemNotice problem={preview.error} />
				<Stack gap={4} align="flex-start">
					{requests.slice(0, shownRequests).map(({ method, url }) => (
						<Code key={url} mod="anywhere">
							<Breakable>{`${method} ${url}`}</Breakable>
						</Code>
					))}
					{requests.length > shownRequests ? (
						<Text>{t("sent.more", { count: requests.length - shownRequests })}</Text>
					) : null}
				</Stack>
				{requests.length === 1 && requests[0]?.fields.length ? (
					<Table withTableBorder withRowBorders={false} verticalSpacing={4} layout="fixed">
						<Table.Tbody>
							{requests[0].fields.map(({ name, value }) => (
								<Table.Tr key={name}>
									<Table.Th w="40%" fw={400}>
										<Breakable>{name}</Breakable>
									</Table.Th>
									<Table.Td mod="anywhere">
										{value === null ? t("sent.secret") : value === "" ? t("sent.empty") : value}
									</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
				) : null}
				<Small>{t("sent.note", { site: name })}</Small>
			</Stack>
		</Foldable>
	);
}

/** Warning that the token will probably expire before a long operation ends; otherwise renders nothing. */
export function TokenExpiryCheck({ site, operation }: { site: SiteView; operation: OperationKey }) {
	const { t } = useTranslation(["run", "common"]);
	const askToSignIn = useSignInRequest();
	const { data } = useTokenExpiry(serverOf(site), operation);
	if (!data || data.shortBy === null) return null;
	return (
		<Notice tone="warnings" icon={IconClockExclamation} title={t("sessionExpiry.title")}>
			<Text>
				{data.endsAt === null ? null : t("sessionExpiry.ends", { at: formatTime(data.endsAt) })}{" "}
				{data.tookBefore === null
					? null
					: t("sessionExpiry.took", {
							operation: t(`common:operation.${operation}.name`),
							duration: formatDuration(data.tookBefore * 1_000),
						})}{" "}
				{t("sessionExpiry.do")}
			</Text>
			<Group>
				<Button onClick={() => askToSignIn(site.id)}>{t("common:action.signIn")}</Button>
			</Group>
		</Notice>
	);
}
