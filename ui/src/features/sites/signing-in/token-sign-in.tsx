import { Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Problem, useBackend, webAppUrl } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { HelpLink } from "@/components/help-link";
import { faultText } from "@/lib/use-form-faults";
import { PastedSignIn } from "./pasted-sign-in";
import type { SignInWayProps } from "./sign-in-way-props";

/** Sign-in with a token created elsewhere, which can be bound to the URL of a web app. */
export function TokenSignIn({ site, server, onSignedIn }: SignInWayProps) {
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

interface WebAppUrlProps {
	problem: Problem | null;
	url: string;
	onUrl: (url: string) => void;
}

function WebAppUrl({ problem, url, onUrl }: WebAppUrlProps) {
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const fault = faultText(common, problem, "webAppUrl");
	// A portal treats a request with a token of another web app like one without a token.
	const isBound = problem?.kind === "rejected" && (problem.code === 498 || problem.code === 499);
	return (
		<TextInput
			label={t("signIn.webAppUrl")}
			description={t("signIn.webAppUrlHint")}
			autoComplete="off"
			spellCheck={false}
			data-path="webAppUrl"
			value={url}
			onChange={(event) => onUrl(event.currentTarget.value)}
			error={fault ?? (isBound ? t("signIn.bound") : null)}
		/>
	);
}
