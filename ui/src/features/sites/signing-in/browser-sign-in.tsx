import { Button, Group, Stack, Text } from "@mantine/core";
import { IconCircleX, IconExternalLink } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Problem, type ServerSignIn, type SessionView, type SiteView, useBackend } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { CommandButton, Notice, ProblemNotice } from "@/components/notice";
import { SecretInput } from "@/components/path-field";
import { RedirectAddresses } from "@/components/redirect-addresses";
import { SubmitForm } from "@/components/submit-form";
import { faultText, useFormFaults } from "@/lib/drafts";
import { useNavigation } from "@/lib/navigation";
import { keptBriefly, useCommand } from "@/lib/use-command";

/** Sign-in on the page of the portal, so that the app does not handle the password. */
export function BrowserSignIn(props: SignInWayProps) {
	const [opened, setOpened] = useState<CodePage>(null);
	if (props.site.clientId === "" && props.site.organizationClientId === null) return <Unknown {...props} />;
	return (
		<Stack>
			<Loopback {...props} onCodePage={() => setOpened("instead")} />
			<WithCode {...props} opened={opened} onOpened={() => setOpened("chosen")} />
		</Stack>
	);
}

/** Why the page with a code is open: instead of the redirect, or because the user chose it; `null` if it is closed. */
type CodePage = "instead" | "chosen" | null;

/** Shown while the site has no client ID, which the browser sign-in requires. */
function Unknown({ site }: SignInWayProps) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	return (
		<Stack align="flex-start">
			<Text>{t("signIn.noClientId")}</Text>
			<Button onClick={() => go({ page: "edit-site", site: site.id })}>{t("signIn.enterClientId")}</Button>
			<RedirectAddresses />
		</Stack>
	);
}

function Loopback({ site, onSignedIn, onCodePage }: SignInWayProps & { onCodePage: () => void }) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const browser = useMutation({
		mutationFn: () => backend.signInInBrowser(site.id),
		onSuccess: async (ended) => {
			if (ended.kind === "signedIn") await onSignedIn(ended.session);
			if (ended.kind === "codePage") onCodePage();
		},
	});
	const ended = browser.data;
	// The portal might not accept the redirect URL. It then shows an error in the browser while the app waits, or rejects
	// the exchange of the code.
	const isRejected =
		browser.isPending ||
		ended?.kind === "declined" ||
		ended?.kind === "tooLate" ||
		ended?.kind === "stopped" ||
		browser.error?.kind === "rejected";
	return (
		<Stack gap="xs">
			<Text>{t("signIn.browserHint")}</Text>
			<Group>
				<CommandButton command={browser} label={t("signIn.browser")} variant="filled" icon={IconExternalLink} />
				{browser.isPending ? (
					<Button variant="subtle" onClick={() => void backend.stopBrowserSignIn(site.id)}>
						{t("signIn.stop")}
					</Button>
				) : null}
			</Group>
			<Text role="status">
				{browser.isPending ? t("signIn.waiting") : null}
				{ended?.kind === "codePage" ? t("signIn.portsTaken") : null}
				{ended?.kind === "tooLate" ? t("signIn.tooLate") : null}
			</Text>
			{ended?.kind === "declined" ? (
				<Notice text={ended.reason} tone="failed" icon={IconCircleX} role="alert" title={t("signIn.declined")} />
			) : null}
			<ProblemNotice problem={browser.error} onRetry={() => browser.mutate()} />
			{isRejected ? <NotRegistered /> : null}
		</Stack>
	);
}

/** Advice about error 400 of the portal for an unknown redirect address. */
function NotRegistered() {
	const { t } = useTranslation("sites");
	return (
		<Stack gap="xs">
			<Text>{t("signIn.notRegistered")}</Text>
			<RedirectAddresses />
		</Stack>
	);
}

/** Sign-in with a code, for portals that do not redirect to this computer. */
function WithCode({ site, onSignedIn, opened, onOpened }: SignInWayProps & { opened: CodePage; onOpened: () => void }) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const open = useCommand((backend) => backend.openSignInPage(site.id), null, { onDone: onOpened });
	return (
		<Foldable title={t("signIn.code.title")} wanted={opened === "instead"}>
			<Stack>
				<Text>{t("signIn.code.what")}</Text>
				<Group>
					<CommandButton command={open} label={t("signIn.code.open")} />
				</Group>
				<ProblemNotice problem={open.error} />
				{opened !== null ? (
					<PastedSignIn
						field="code"
						label={t("signIn.code.label")}
						hint={t("signIn.code.hint")}
						submit={t("signIn.code.submit")}
						send={(pasted) => backend.signInWithCode(site.id, pasted)}
						onSignedIn={onSignedIn}
						more={(problem) => (problem?.kind === "rejected" ? <NotRegistered /> : null)}
					/>
				) : null}
			</Stack>
		</Foldable>
	);
}

interface PastedSignInProps {
	/** Name of the field in the backend. */
	field: string;
	label: string;
	hint: string;
	submit: string;
	send: (pasted: string) => Promise<SessionView>;
	onSignedIn: (session: SessionView) => Promise<void>;
	/** Further fields, which show their own faults. */
	more?: (problem: Problem | null) => ReactNode;
}

/** Replaces line breaks, because a single-line field would drop them and join the lines of a pasted header or table. */
const inOneLine = (text: string) => text.replace(/\r\n?|\n/g, "\u2028");

/** Sign-in with a pasted secret: a token or a code. */
export function PastedSignIn({ field, label, hint, submit, send, onSignedIn, more }: PastedSignInProps) {
	const { t } = useTranslation("common");
	const [pasted, setPasted] = useState("");
	const signIn = useMutation({ mutationFn: send, gcTime: keptBriefly, onSuccess: onSignedIn });
	const fault = faultText(t, signIn.error, field);
	const problem = useFormFaults(signIn.error);
	const retry = problem?.kind === "certificate" ? () => signIn.mutate(pasted) : undefined;
	return (
		<SubmitForm
			onSubmit={(event) => {
				event.preventDefault();
				signIn.mutate(pasted);
			}}
		>
			<Stack>
				<SecretInput
					label={label}
					description={hint}
					autoComplete="off"
					data-path={field}
					value={pasted}
					onPaste={(event) => {
						const text = event.clipboardData.getData("text");
						if (!/[\r\n]/.test(text)) return;
						event.preventDefault();
						const { value, selectionStart, selectionEnd } = event.currentTarget;
						const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
						setPasted(value.slice(0, from) + inOneLine(text) + value.slice(to));
						if (fault) signIn.reset();
					}}
					onChange={(event) => {
						setPasted(event.currentTarget.value);
						if (fault) signIn.reset();
					}}
					error={fault}
				/>
				{more?.(signIn.error)}
				<Group>
					<Button variant="filled" size="sm" type="submit" loading={signIn.isPending}>
						{submit}
					</Button>
				</Group>
				<SignInProblem problem={problem} onRetry={retry} />
			</Stack>
		</SubmitForm>
	);
}

interface SignInProblemProps {
	problem: Problem | null;
	onRetry: (() => void) | undefined;
	advice?: string | undefined;
}

/** Why a sign-in failed. Below the button, which must stay in view in a low window. */
export function SignInProblem({ problem, onRetry, advice }: SignInProblemProps) {
	if (!problem) return null;
	return (
		<div ref={reveal}>
			<ProblemNotice problem={problem} onRetry={onRetry} advice={advice} />
		</div>
	);
}

const reveal = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: "nearest" });

export interface SignInWayProps {
	site: SiteView;
	/** Server whose own account is used; `null` for the portal, or for the server of a site without a portal. */
	server: ServerSignIn | null;
	onSignedIn: (session: SessionView) => Promise<void>;
}
