import { Stack, Tabs } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SessionView, SiteView } from "@/bridge";
import { takeSession } from "@/lib/queries";
import { BrowserSignIn } from "./browser-sign-in";
import { PasswordSignIn } from "./password-sign-in";
import classes from "./sign-in-form.module.css";
import { TokenSignIn } from "./token-sign-in";

export interface SignInWayProps {
	site: SiteView;
	onSignedIn: (session: SessionView) => Promise<void>;
}

const ways = { password: PasswordSignIn, browser: BrowserSignIn, token: TokenSignIn };
type Way = keyof typeof ways;

/** Every way to sign in that the site may offer, the usual one first. */
export function SignInForm({ site, onDone }: { site: SiteView; onDone?: () => void }) {
	const { t } = useTranslation("sites");
	const queries = useQueryClient();
	const [way, setWay] = useState<Way>("password");
	const signedIn = async (session: SessionView) => {
		onDone?.();
		await takeSession(queries, session);
	};
	// A server without a portal has no page to sign in at.
	const offered = (Object.keys(ways) as Way[]).filter((one) => one !== "browser" || site.portal !== null);
	const Panel = ways[way];
	return (
		<Stack>
			<Tabs value={way} onChange={(next) => setWay((next ?? "password") as Way)} keepMounted={false}>
				<Tabs.List aria-label={t("signIn.ways")} mb="md" className={classes.ways ?? ""}>
					{offered.map((one) => (
						<Tabs.Tab key={one} value={one} px="sm" lh={1.3} style={{ whiteSpace: "normal" }}>
							{t(`signIn.way.${one}`)}
						</Tabs.Tab>
					))}
				</Tabs.List>
				<Tabs.Panel value={way}>
					<Panel site={site} onSignedIn={signedIn} />
				</Tabs.Panel>
			</Tabs>
		</Stack>
	);
}
