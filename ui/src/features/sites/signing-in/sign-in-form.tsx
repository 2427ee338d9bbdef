import { Button, Checkbox, Code, Group, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type SignInForm as Form,
	type Problem,
	type ServerSignIn,
	type SessionView,
	type SiteView,
	useBackend,
	webAppUrl,
} from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { HelpLink } from "@/components/page";
import { SecretInput } from "@/components/path-field";
import { SubmitForm } from "@/components/submit-form";
import { faultText, labelled, useFormFaults } from "@/lib/drafts";
import { hostAndPathOf } from "@/lib/format";
import { takeSession } from "@/lib/queries/program";
import { keptBriefly } from "@/lib/use-command";
import { BrowserSignIn, PastedSignIn, SignInProblem, type SignInWayProps } from "./browser-sign-in";
import classes from "./sign-in-form.module.css";

const ways = { password: PasswordSignIn, browser: BrowserSignIn, token: TokenSignIn };
type Way = keyof typeof ways;

interface SignInFormProps {
	site: SiteView;
	server?: ServerSignIn | null;
	onDone?: () => void;
}

/** Sign-in methods of a site, the usual one first. */
export function SignInForm({ site, server = null, onDone }: SignInFormProps) {
	const { t } = useTranslation("sites");
	const queries = useQueryClient();
	const [way, setWay] = useState<Way>("password");
	const signedIn = async (session: SessionView) => {
		onDone?.();
		await takeSession(queries, session);
	};
	const isPortal = server === null && site.portal !== null;
	// Servers have no sign-in page.
	const offered = (Object.keys(ways) as Way[]).filter((one) => one !== "browser" || isPortal);
	const Panel = ways[way];
	return (
		<Tabs value={way} onChange={(next) => setWay((next ?? "password") as Way)} keepMounted={false}>
			<Tabs.List aria-label={t("signIn.methods")} mb="md" className={classes.ways ?? ""}>
				{offered.map((one) => (
					<Tabs.Tab key={one} value={one} px="sm" lh="lg" style={{ whiteSpace: "normal" }}>
						{t(`signIn.method.${one}`)}
					</Tabs.Tab>
				))}
			</Tabs.List>
			<Tabs.Panel value={way}>
				<Stack>
					{/* Below the tabs, so that these do not move. In the browser method, the app sends no credentials. */}
					{way === "browser" ? null : (
						<Stack gap={4}>
							<Text mod="anywhere">
								{t("signIn.sentTo", { host: server?.host ?? hostAndPathOf(site.portal ?? site.server ?? "") })}
							</Text>
							{isPortal ? null : <Text>{t("signIn.serverAccount")}</Text>}
							{server && site.portal ? (
								<Text mod="anywhere">{t("signIn.notListed", { portal: hostAndPathOf(site.portal) })}</Text>
							) : null}
						</Stack>
					)}
					<Panel site={site} server={server} onSignedIn={signedIn} />
				</Stack>
			</Tabs.Panel>
		</Tabs>
	);
}

function PasswordSignIn({ site, server, onSignedIn }: SignInWayProps) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	// The last account belongs to the portal.
	const username = server && site.portal !== null ? "" : (site.username ?? "");
	const form = useForm<Form>({ initialValues: { username, password: "", keepPassword: false } });
	const signIn = useMutation({
		mutationFn: (values: Form) => backend.signIn(site.id, server?.id ?? null, values),
		gcTime: keptBriefly,
		onSuccess: onSignedIn,
	});
	// Retries with the same input after a certificate was trusted.
	const retry = signIn.error?.kind === "certificate" ? () => signIn.mutate(form.values) : undefined;
	const problem = useFormFaults(signIn.error, form);
	const isPortal = server === null && site.portal !== null;
	const advice =
		problem?.kind === "rejected" ? t(isPortal ? "signIn.rejectedAdvice" : "signIn.rejectedAdviceAtServer") : undefined;
	return (
		<SubmitForm onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
			<Stack>
				<TextInput
					label={t("signIn.username")}
					autoComplete="username"
					data-autofocus={username ? undefined : true}
					{...form.getInputProps("username")}
				/>
				<SecretInput
					label={t("signIn.password")}
					autoComplete="current-password"
					data-autofocus={username ? true : undefined}
					{...form.getInputProps("password")}
				/>
				<Checkbox
					label={t("signIn.keepPassword")}
					description={t("signIn.keyring")}
					{...form.getInputProps("keepPassword", { type: "checkbox" })}
				/>
				<Group>
					<Button variant="filled" size="sm" type="submit" loading={signIn.isPending}>
						{t("signIn.submit")}
					</Button>
				</Group>
				<SignInProblem problem={problem} onRetry={retry} advice={advice} />
			</Stack>
		</SubmitForm>
	);
}

/** Sign-in with a token that the user created on a token page, which can be bound to the URL of a web app. */
function TokenSignIn({ site, server, onSignedIn }: SignInWayProps) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const [url, setUrl] = useState("");
	return (
		<Stack>
			<Stack gap={4}>
				<Text>{t("signIn.ownUrl")}</Text>
				<Group gap="xs">
					<Code>{webAppUrl}</Code>
					<CopyButton value={webAppUrl} label={t("signIn.copyUrl")} />
					<HelpLink topic="sign-in" about={t("signIn.method.token")} />
				</Group>
			</Stack>
			<PastedSignIn
				field="token"
				label={t("signIn.token")}
				hint={t("signIn.tokenHint")}
				submit={t("signIn.withToken")}
				send={(pasted) => backend.signInWithToken(site.id, server?.id ?? null, pasted, url)}
				onSignedIn={onSignedIn}
				more={(problem) => <WebAppUrl problem={problem} url={url} onUrl={setUrl} />}
			/>
		</Stack>
	);
}

function WebAppUrl({ problem, url, onUrl }: { problem: Problem | null; url: string; onUrl: (url: string) => void }) {
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const fault = faultText(common, problem, "webAppUrl");
	// A portal treats a request with a token of another web app like one without a token.
	const isBound = problem?.kind === "rejected" && (problem.code === 498 || problem.code === 499);
	return (
		<TextInput
			{...labelled(t, "signIn.webAppUrl")}
			autoComplete="off"
			data-path="webAppUrl"
			value={url}
			onChange={(event) => onUrl(event.currentTarget.value)}
			error={fault ?? (isBound ? t("signIn.bound") : null)}
		/>
	);
}
