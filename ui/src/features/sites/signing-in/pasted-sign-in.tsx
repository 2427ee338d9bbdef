import { Button, Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ClipboardEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem, SessionView } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { SecretInput } from "@/components/secret-input";
import { SubmitForm } from "@/components/submit-form";
import { useUnshown } from "@/lib/use-unshown";

interface PastedSignInProps {
	/** What the program calls the field. */
	field: string;
	label: string;
	hint: string;
	submit: string;
	send: (pasted: string) => Promise<SessionView>;
	onSignedIn: (session: SessionView) => Promise<void>;
	/** More fields of the form, with the problem that is theirs. */
	more?: (problem: Problem | null) => ReactNode;
}

/** Line breaks of a pasted response, as a letter that a field of one line keeps: it would drop them. */
const LINE_BREAK = "\u2028";

function pastedLines(event: ClipboardEvent<HTMLInputElement>): string | null {
	const text = event.clipboardData.getData("text");
	if (!/[\r\n]/.test(text)) return null;
	event.preventDefault();
	const input = event.currentTarget;
	const [start, end] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length];
	input.setRangeText(text.replace(/\r\n?|\n/g, LINE_BREAK), start, end, "end");
	return input.value;
}

/** One secret that is pasted: a token, a code. */
export function PastedSignIn({ field, label, hint, submit, send, onSignedIn, more }: PastedSignInProps) {
	const { t } = useTranslation("common");
	const [pasted, setPasted] = useState("");
	const signIn = useMutation({ mutationFn: send, gcTime: 0, onSuccess: onSignedIn });
	const fault = signIn.error?.kind === "form" && signIn.error.field === field ? signIn.error.fault : null;
	const problem = useUnshown(signIn.error);
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
					onChange={(event) => {
						setPasted(event.currentTarget.value);
						if (fault) signIn.reset();
					}}
					onPaste={(event) => {
						const lines = pastedLines(event);
						if (lines === null) return;
						setPasted(lines);
						if (fault) signIn.reset();
					}}
					error={fault ? t(`fault.${fault}`) : null}
				/>
				{more?.(signIn.error)}
				{problem ? <ProblemNotice problem={problem} onRetry={retry} /> : null}
				<Group>
					<Button type="submit" loading={signIn.isPending}>
						{submit}
					</Button>
				</Group>
			</Stack>
		</SubmitForm>
	);
}
