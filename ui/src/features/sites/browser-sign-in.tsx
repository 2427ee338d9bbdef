import { Alert, Button, Divider, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SessionView, type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";

interface BrowserSignInProps {
	site: SiteView;
	onSignedIn: (session: SessionView) => void;
}

/** The portal's own page, for accounts whose password is no business of this program. */
export function BrowserSignIn({ site, onSignedIn }: BrowserSignInProps) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const browser = useMutation({
		mutationFn: () => backend.signInInBrowser(site.id),
		onSuccess: (ended) => {
			if (ended.kind === "signedIn") onSignedIn(ended.session);
		},
	});
	const ended = browser.data;
	return (
		<Stack gap="xs">
			<Divider label={t("signIn.or")} />
			<Group>
				<Button variant="default" loading={browser.isPending} onClick={() => browser.mutate()}>
					{t("signIn.browser")}
				</Button>
				{browser.isPending ? (
					<Button variant="subtle" onClick={() => void backend.stopBrowserSignIn(site.id)}>
						{t("signIn.stop")}
					</Button>
				) : null}
			</Group>
			<Text size="xs" c="dimmed" role="status">
				{browser.isPending ? t("signIn.waiting") : null}
				{ended?.kind === "tooLate" ? t("signIn.tooLate") : null}
			</Text>
			{ended?.kind === "declined" ? (
				<Alert color="red" title={t("signIn.declined")}>
					{ended.reason}
				</Alert>
			) : null}
			{browser.error ? <ProblemNotice problem={browser.error} /> : null}
		</Stack>
	);
}
