import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { PastedSignIn } from "./pasted-sign-in";
import type { SignInWayProps } from "./sign-in-form";

/** A token that somebody made elsewhere. */
export function TokenSignIn({ site, server, onSignedIn }: SignInWayProps) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	return (
		<PastedSignIn
			field="token"
			label={t("signIn.token")}
			hint={t("signIn.tokenHint")}
			submit={t("signIn.withToken")}
			send={(pasted) => backend.signInWithToken(site.id, server?.id ?? null, pasted)}
			onSignedIn={onSignedIn}
		/>
	);
}
