import { Button, type ButtonProps, Code, Group, Stack, Table, Text } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OperationForm, OperationKey, SiteView } from "@/bridge";
import { formatDuration, formatTime } from "@/lib/format";
import { useSignInRequest } from "@/lib/navigation";
import { usePageKey } from "@/lib/page-keys";
import { useRequestPreview, useTokenExpiry } from "@/lib/queries/site";
import { serverOf, targetOf, useTargetNameOf } from "@/lib/target";
import { unavailableText, useReadOnly } from "@/lib/use-read-only";
import { Foldable } from "./foldable";
import classes from "./named-button.module.css";
import { Notice, ProblemNotice } from "./notice";
import { Breakable, LinkButton, Small } from "./text";

/** ID of the reason field of a locked site, which is on a page at most once. */
export const unlockField = "unlock-reason";

/** Types of inputs with typed text, without `search`, which only filters. */
const textTypes: ReadonlySet<string> = new Set(["text", "email", "password", "number", "tel", "url"]);

/**
 * Form that is submitted by its button, and by Enter in a text field that is part of the request.
 *
 * Browsers submit on Enter in every input: a check box, a select, the search of a table inside the form. Fields of the
 * request have the path of their value in `data-path`, which `getInputProps` sets.
 */
export function SubmitForm(props: ComponentProps<"form">) {
	return <form noValidate onKeyDown={ignoreEnter} {...props} />;
}

function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
	const { target } = event;
	// In React's tree, dialogs above the page belong to the form.
	if (event.key !== "Enter" || !(target instanceof HTMLInputElement) || target.form !== event.currentTarget) return;
	const isSent = target.dataset.path !== undefined && textTypes.has(target.type) && !target.readOnly;
	if (!isSent) event.preventDefault();
}

interface SubmitButtonProps extends ButtonProps {
	/** Only outside of a form; within one, the button submits it. */
	onClick?: () => void;
	children: ReactNode;
}

/** Main button of a page, with its shortcut. */
export function SubmitButton({ onClick, ...props }: SubmitButtonProps) {
	const key = usePageKey("submit");
	return (
		<Button
			variant="filled"
			size="sm"
			classNames={namedButton}
			{...(onClick ? { onClick } : { type: "submit" })}
			{...key}
			{...props}
		/>
	);
}

const namedButton = { root: classes.root ?? "", label: classes.label ?? "" };

interface ChangeButtonProps extends ComponentProps<typeof Button<"button">> {
	site: SiteView;
}

/**
 * Submit button of a page that changes the site, with its shortcut. While the site is locked, the button is disabled
 * and a text explains where to unlock it.
 */
export function ChangeButton({ site, disabled = false, ...button }: ChangeButtonProps) {
	const { t } = useTranslation(["sites", "common"]);
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const why = useId();
	const key = usePageKey("submit");
	return (
		<>
			<Button
				variant="filled"
				size="sm"
				classNames={namedButton}
				{...key}
				{...button}
				disabled={disabled || readOnly}
				{...(readOnly ? { "aria-describedby": why } : {})}
			/>
			{readOnly ? (
				<Text>
					<span id={why}>{unavailableText(common, { kind: "readOnly" })}</span>{" "}
					<LinkButton onClick={() => document.getElementById(unlockField)?.focus()}>
						{t("readOnly.toUnlock")}
					</LinkButton>
				</Text>
			) : null}
		</>
	);
}

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
				{preview.error ? <ProblemNotice problem={preview.error} /> : null}
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
