import { Modal } from "@mantine/core";
import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerSignIn, SiteId } from "@/bridge";
import { useSites } from "@/lib/queries";
import { type AskToSignIn, SignInRequestContext } from "@/lib/sign-in-request";
import { SignIn } from "./sign-in";

/** Opens the sign-in over the screen, for whoever asks with `useSignInRequest`. */
export function SignInRequests({ children }: { children: ReactNode }) {
	const { t } = useTranslation("sites");
	const [asked, setAsked] = useState<{ site: SiteId; server: ServerSignIn | null } | null>(null);
	const ask = useCallback<AskToSignIn>((site, server = null) => setAsked({ site, server }), []);
	const close = useCallback(() => setAsked(null), []);
	const site = useSites().data?.find(({ id }) => id === asked?.site);
	const server = asked?.server ?? null;
	return (
		<SignInRequestContext value={ask}>
			{children}
			<Modal
				opened={site !== undefined}
				onClose={close}
				title={server ? t("signIn.serverTitle", { host: server.host }) : t("signIn.title", { site: site?.name ?? "" })}
				closeButtonProps={{ "aria-label": t("close") }}
			>
				{site ? <SignIn site={site} server={server} onDone={close} /> : null}
			</Modal>
		</SignInRequestContext>
	);
}
