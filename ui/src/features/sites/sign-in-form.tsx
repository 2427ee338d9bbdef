import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type SignInForm as Form, type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { fieldFault } from "@/lib/field-fault";
import { queryKeys } from "@/lib/queries";

export function SignInForm({ site, onDone }: { site: SiteView; onDone?: () => void }) {
	const { t } = useTranslation(["sites", "common"]);
	const backend = useBackend();
	const queries = useQueryClient();
	const form = useForm<Form>({ initialValues: { username: site.username ?? "", password: "" } });
	const signIn = useMutation({
		mutationFn: (values: Form) => backend.signIn(site.id, values),
		// The password is not kept in the window longer than the call takes.
		gcTime: 0,
		onSuccess: async (session) => {
			queries.setQueryData(queryKeys.session(site.id), session);
			onDone?.();
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
		},
		onError: (problem) => {
			const wrong = fieldFault(problem, form.values);
			if (wrong) form.setFieldError(wrong.field, t(`common:fault.${wrong.fault}`));
		},
	});
	const problem = fieldFault(signIn.error, form.values) ? null : signIn.error;
	return (
		<form noValidate onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
			<Stack>
				<TextInput
					label={t("signIn.username")}
					autoComplete="username"
					spellCheck={false}
					data-autofocus={site.username ? undefined : true}
					{...form.getInputProps("username")}
				/>
				<PasswordInput
					label={t("signIn.password")}
					autoComplete="current-password"
					data-autofocus={site.username ? true : undefined}
					{...form.getInputProps("password")}
				/>
				<Text size="xs" c="dimmed">
					{t("signIn.keyring")}
				</Text>
				{problem ? <ProblemNotice problem={problem} /> : null}
				<Button type="submit" loading={signIn.isPending} style={{ alignSelf: "flex-start" }}>
					{t("signIn.submit")}
				</Button>
			</Stack>
		</form>
	);
}
