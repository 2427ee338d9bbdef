import type { SiteView } from "@/bridge";
import { PracticeSignIn } from "@/features/practice/practice-sign-in";
import { SignInForm } from "@/features/sites/signing-in/sign-in-form";

/** The practice site hands out its own people; every other site asks for a name and a password. */
export function SignIn({ site, onDone }: { site: SiteView; onDone?: () => void }) {
	return site.kind === "practice" ? (
		<PracticeSignIn {...(onDone ? { onDone } : {})} />
	) : (
		<SignInForm site={site} {...(onDone ? { onDone } : {})} />
	);
}
