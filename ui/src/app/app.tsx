import { type ReactNode, Suspense, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerSignIn, SiteId } from "@/bridge";
import { DialogFrame } from "@/components/dialog";
import { DroppedFilesProvider } from "@/lib/dropped-file";
import { type AskToSignIn, NavigationProvider, SignInRequestContext } from "@/lib/navigation";
import { useSites } from "@/lib/queries/program";
import { useWindowDialog } from "@/lib/use-window-dialog";
import { afterStart } from "@/lib/when-shown";
import { Shell } from "./shell";
import { SignIn } from "./sign-in";

const Notices = afterStart(async () => (await import("./notices")).Notices);

export function App() {
	return (
		<NavigationProvider>
			<DroppedFilesProvider>
				<SignInRequests>
					<Suspense>
						<Notices />
					</Suspense>
					<Shell />
				</SignInRequests>
			</DroppedFilesProvider>
		</NavigationProvider>
	);
}

interface SignInRequest {
	/** Distinguishes requests for the same site. */
	id: number;
	site: SiteId;
	server: ServerSignIn | null;
}

/** Shows the sign-in as a dialog when a component calls `useSignInRequest`. */
export function SignInRequests({ children }: { children: ReactNode }) {
	const { t } = useTranslation("sites");
	const [request, setRequest] = useState<SignInRequest | null>(null);
	const latest = useRef(0);
	const ask = useCallback<AskToSignIn>((site, server = null) => {
		latest.current += 1;
		setRequest({ id: latest.current, site, server });
	}, []);
	// A sign-in in the browser can end after its dialog was closed and another one opened.
	const close = () => setRequest((now) => (now?.id === request?.id ? null : now));
	const site = useSites().data?.find(({ id }) => id === request?.site);
	const server = request?.server ?? null;
	const dialog = useWindowDialog(site !== undefined, close);
	return (
		<SignInRequestContext value={ask}>
			{children}
			<DialogFrame
				{...dialog}
				title={
					server ? t("signIn.serverTitle", { server: server.name }) : t("signIn.title", { site: site?.name ?? "" })
				}
			>
				{site ? <SignIn key={request?.id} site={site} server={server} onDone={close} /> : null}
			</DialogFrame>
		</SignInRequestContext>
	);
}
