import { Suspense } from "react";
import type { ServerSignIn, SiteView } from "@/bridge";
import { LoadingRows } from "@/components/notice";
import { PracticeSignIn } from "@/features/practice/practice-sign-in";
import { whenShown } from "@/lib/when-shown";

const SignInForm = whenShown(async () => (await import("@/features/sites/signing-in/sign-in-form")).SignInForm);

interface SignInProps {
	site: SiteView;
	server?: ServerSignIn | null;
	onDone?: () => void;
}

/** Sign-in of a site. The practice site offers its own users instead of a form. */
export function SignIn({ site, server = null, onDone }: SignInProps) {
	if (site.environment === "practice") return <PracticeSignIn {...(onDone ? { onDone } : {})} />;
	return (
		<Suspense fallback={<LoadingRows rows={3} height={36} />}>
			<SignInForm site={site} server={server} {...(onDone ? { onDone } : {})} />
		</Suspense>
	);
}
