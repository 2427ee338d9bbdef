import { Stack, Tabs, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerSignIn, SessionView, SiteView } from "@/bridge";
import { hostAndPathOf } from "@/lib/hosts";
import { takeSession } from "@/lib/queries/session";
import { BrowserSignIn } from "./browser-sign-in";
import { PasswordSignIn } from "./password-sign-in";
import classes from "./sign-in-form.module.css";
import { TokenSignIn } from "./token-sign-in";

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
					{/* Below the tabs, so that they do not move. In the browser method, the app does not send the credentials. */}
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
