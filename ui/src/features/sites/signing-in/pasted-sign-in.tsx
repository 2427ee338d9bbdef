import { Button, Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem, ServerSignIn, SessionView, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { SecretInput } from "@/components/secret-input";
import { SubmitForm } from "@/components/submit-form";
import { keptBriefly } from "@/lib/use-command";
import { faultText, useFormFaults } from "@/lib/use-form-faults";

interface PastedSignInProps {
	/** Name of the field in the backend. */
	field: string;
	label: string;
	hint: string;
	submit: string;
	send: (pasted: string) => Promise<SessionView>;
	onSignedIn: (session: SessionView) => Promise<void>;
	/** Further fields, which show their own faults. */
	more?: (problem: Problem | null) => ReactNode;
}

/** Replaces line breaks, because a single-line field would drop them and join the lines of a pasted header or table. */
const inOneLine = (text: string) => text.replace(/\r\n?|\n/g, "\u2028");

/** Sign-in with a pasted secret: a token or a code. */
export function PastedSignIn({ field, label, hint, submit, send, onSignedIn, more }: PastedSignInProps) {
	const { t } = useTranslation("common");
	const [pasted, setPasted] = useState("");
	const signIn = useMutation({ mutationFn: send, gcTime: keptBriefly, onSuccess: onSignedIn });
	const fault = faultText(t, signIn.error, field);
	const problem = useFormFaults(signIn.error);
	const retry = problem?.kind === "certificate" ? () => signIn.mutate(pasted) : undefined;
	return (
		<SubmitForm
			onSubmit={(event) => {
				event.preventDefault();
				signIn.mutate(pasted);
			}}
		>
			<Stack>
				<SecretInput
					label={label}
					description={hint}
					autoComplete="off"
					data-path={field}
					value={pasted}
					onPaste={(event) => {
						const text = event.clipboardData.getData("text");
						if (!/[\r\n]/.test(text)) return;
						event.preventDefault();
						const { value, selectionStart, selectionEnd } = event.currentTarget;
						const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
						setPasted(value.slice(0, from) + inOneLine(text) + value.slice(to));
						if (fault) signIn.reset();
					}}
					onChange={(event) => {
						setPasted(event.currentTarget.value);
						if (fault) signIn.reset();
					}}
					error={fault}
				/>
				{more?.(signIn.error)}
				<Group>
					<Button variant="filled" size="sm" type="submit" loading={signIn.isPending}>
						{submit}
					</Button>
				</Group>
				<SignInProblem problem={problem} onRetry={retry} />
			</Stack>
		</SubmitForm>
	);
}

interface SignInProblemProps {
	problem: Problem | null;
	onRetry: (() => void) | undefined;
	advice?: string | undefined;
}

/** Why a sign-in failed. Below the button, which must stay in view in a low window. */
export function SignInProblem({ problem, onRetry, advice }: SignInProblemProps) {
	if (!problem) return null;
	return (
		<div ref={reveal}>
			<ProblemNotice problem={problem} onRetry={onRetry} advice={advice} />
		</div>
	);
}

const reveal = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: "nearest" });

export interface SignInWayProps {
	site: SiteView;
	/** Server whose own account is used; `null` for the portal, or for the server of a site without a portal. */
	server: ServerSignIn | null;
	onSignedIn: (session: SessionView) => Promise<void>;
}
