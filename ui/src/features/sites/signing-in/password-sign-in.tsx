import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SignInForm as Form, useBackend } from "@/bridge";
import { SecretInput } from "@/components/secret-input";
import { SubmitForm } from "@/components/submit-form";
import { keptBriefly } from "@/lib/kept-briefly";
import { useFormFaults } from "@/lib/use-form-faults";
import { SignInProblem } from "./sign-in-problem";
import type { SignInWayProps } from "./sign-in-way-props";

export function PasswordSignIn({ site, server, onSignedIn }: SignInWayProps) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	// The last account belongs to the portal.
	const username = server && site.portal !== null ? "" : (site.username ?? "");
	const form = useForm<Form>({ initialValues: { username, password: "", keepPassword: false } });
	const signIn = useMutation({
		mutationFn: (values: Form) => backend.signIn(site.id, server?.id ?? null, values),
		gcTime: keptBriefly,
		onSuccess: onSignedIn,
	});
	// Retries with the same input after a certificate was trusted.
	const retry = signIn.error?.kind === "certificate" ? () => signIn.mutate(form.values) : undefined;
	const problem = useFormFaults(signIn.error, form);
	const isPortal = server === null && site.portal !== null;
	const advice =
		problem?.kind === "rejected" ? t(isPortal ? "signIn.rejectedAdvice" : "signIn.rejectedAdviceAtServer") : undefined;
	return (
		<SubmitForm onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
			<Stack>
				<TextInput
					label={t("signIn.username")}
					autoComplete="username"
					spellCheck={false}
					data-autofocus={username ? undefined : true}
					{...form.getInputProps("username")}
				/>
				<SecretInput
					label={t("signIn.password")}
					autoComplete="current-password"
					data-autofocus={username ? true : undefined}
					{...form.getInputProps("password")}
				/>
				<Checkbox
					label={t("signIn.keepPassword")}
					description={t("signIn.keyring")}
					{...form.getInputProps("keepPassword", { type: "checkbox" })}
				/>
				<Group>
					<Button variant="filled" size="sm" type="submit" loading={signIn.isPending}>
						{t("signIn.submit")}
					</Button>
				</Group>
				<SignInProblem problem={problem} onRetry={retry} advice={advice} />
			</Stack>
		</SubmitForm>
	);
}
