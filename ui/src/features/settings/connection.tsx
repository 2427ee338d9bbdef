import { Button, Group, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Problem, SavedRoute } from "@/bridge";
import { FileField } from "@/components/file-field";
import { ProblemNotice } from "@/components/problem-notice";
import { SecretInput } from "@/components/secret-input";
import { usePreferences } from "@/lib/preferences";
import { Section } from "./section";
import { useLocked } from "./use-locked";

const kinds = ["system", "direct", "proxy"] as const satisfies readonly SavedRoute["kind"][];

/** The way to every site that has none of its own. Saved as a whole: half an address leads nowhere. */
export function Connection() {
	const { t } = useTranslation();
	const { preferences, save, isLocked } = usePreferences();
	const locked = useLocked();
	const { route, caCertificate } = preferences.connection;
	const proxy = route.kind === "proxy" ? route : { address: "", user: "", exceptions: [] };
	const form = useForm({
		initialValues: {
			kind: route.kind,
			address: proxy.address,
			user: proxy.user,
			password: "",
			exceptions: proxy.exceptions.join(", "),
			caCertificate,
		},
	});
	const saving = useMutation<void, Problem, typeof form.values>({
		mutationFn: ({ kind, address, user, password, exceptions, caCertificate }) => {
			const hosts = exceptions.split(",").map((host) => host.trim());
			const route: SavedRoute =
				kind === "proxy" ? { kind, address, user, exceptions: hosts.filter((host) => host !== "") } : { kind };
			return save({ connection: { route, caCertificate } }, password === "" ? null : password);
		},
		onSuccess: () => {
			form.setFieldValue("password", "");
			form.resetDirty();
		},
		onError: (problem) => {
			if (problem.kind !== "form") return;
			const field = problem.field === "connection.route.address" ? "address" : "caCertificate";
			form.setFieldError(field, t(`fault.${problem.fault}`));
		},
	});
	const problem = saving.error && saving.error.kind !== "form" ? saving.error : null;
	return (
		<Section title={t("settings.connection")} hint={isLocked("route") ? "" : t("settings.connectionHint")}>
			<form noValidate onSubmit={form.onSubmit((values) => saving.mutate(values))}>
				<Stack gap="md">
					<Radio.Group label={t("settings.route")} {...locked.describe("route")} {...form.getInputProps("kind")}>
						<Group mt="xs">
							{kinds.map((kind) => (
								<Radio key={kind} value={kind} disabled={isLocked("route")} label={t(`settings.routes.${kind}`)} />
							))}
						</Group>
					</Radio.Group>
					{form.values.kind === "proxy" ? (
						<>
							<TextInput
								label={t("settings.proxyAddress")}
								placeholder={t("settings.proxyAddressExample")}
								spellCheck={false}
								{...locked.part("route")}
								{...form.getInputProps("address")}
							/>
							<SimpleGrid type="container" cols={{ base: 1, "20em": 2 }}>
								<TextInput
									label={t("settings.proxyUser")}
									autoComplete="off"
									spellCheck={false}
									{...locked.part("route")}
									{...form.getInputProps("user")}
								/>
								<SecretInput
									label={t("settings.proxyPassword")}
									description={t("settings.proxyPasswordHint")}
									inputWrapperOrder={["label", "input", "description", "error"]}
									autoComplete="off"
									{...form.getInputProps("password")}
								/>
							</SimpleGrid>
							<TextInput
								label={t("settings.proxyExceptions")}
								description={t("settings.proxyExceptionsHint")}
								spellCheck={false}
								{...locked.part("route")}
								{...form.getInputProps("exceptions")}
							/>
						</>
					) : null}
					<FileField
						label={t("settings.caCertificate")}
						chooseLabel={t("settings.chooseCa")}
						onFile={(path) => form.setFieldValue("caCertificate", path)}
						{...locked.field("caCertificate", t("settings.caCertificateHint"))}
						{...form.getInputProps("caCertificate")}
					/>
					{problem ? <ProblemNotice problem={problem} /> : null}
					<Group>
						<Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
							{t("settings.saveConnection")}
						</Button>
						<Text size="sm" c="dimmed" role="status">
							{saving.isSuccess && !form.isDirty() ? t("settings.connectionSaved") : null}
						</Text>
					</Group>
				</Stack>
			</form>
		</Section>
	);
}
