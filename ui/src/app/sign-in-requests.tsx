import { Modal } from "@mantine/core";
import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteId } from "@/bridge";
import { useSites } from "@/lib/queries";
import { SignInRequestContext } from "@/lib/sign-in-request";
import { SignIn } from "./sign-in";

/** Opens the sign-in over the screen, for whoever asks with `useSignInRequest`. */
export function SignInRequests({ children }: { children: ReactNode }) {
	const { t } = useTranslation("sites");
	const [asked, setAsked] = useState<SiteId | null>(null);
	const ask = useCallback((site: SiteId) => setAsked(site), []);
	const close = useCallback(() => setAsked(null), []);
	const site = useSites().data?.find(({ id }) => id === asked);
	return (
		<SignInRequestContext value={ask}>
			{children}
			<Modal
				opened={site !== undefined}
				onClose={close}
				title={t("signIn.title", { site: site?.name ?? "" })}
				closeButtonProps={{ "aria-label": t("close") }}
			>
				{site ? <SignIn site={site} onDone={close} /> : null}
			</Modal>
		</SignInRequestContext>
	);
}
