import { Button, Checkbox, ColorSwatch, Group, Input, Radio, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type SiteForm as Form, type SiteColor, type SiteKind, type SiteView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { fieldFault } from "@/lib/field-fault";
import { queryKeys } from "@/lib/queries";
import { siteAccent, siteColors } from "@/lib/site-color";
import { formOf } from "@/lib/site-form";

interface SiteFormProps {
	site: SiteView | null;
	onSaved: (site: SiteView) => void;
	onCancel: () => void;
}

export function SiteForm({ site, onSaved, onCancel }: SiteFormProps) {
	const { t } = useTranslation(["sites", "common"]);
	const form = useForm<Form>({ initialValues: formOf(site) });
	const save = useSave(onSaved);
	const submit = (values: Form) =>
		save.mutate(values, {
			onError: (problem) => {
				const wrong = fieldFault(problem, values);
				if (!wrong) return;
				form.setFieldError(wrong.field, t(`common:fault.${wrong.fault}`));
				form.getInputNode(wrong.field)?.focus();
			},
		});
	const problem = fieldFault(save.error, form.values) ? null : save.error;
	return (
		<form noValidate onSubmit={form.onSubmit(submit)}>
			<Stack>
				<Group align="flex-start" wrap="nowrap">
					<TextInput
						flex={1}
						label={t("form.name")}
						description={t("form.nameHint")}
						data-autofocus
						{...form.getInputProps("name")}
					/>
					<Kind value={form.values.kind} onChange={(kind) => form.setFieldValue("kind", kind)} />
				</Group>
				<Radio.Group
					label={t("form.color")}
					description={t("form.colorHint")}
					value={form.values.color}
					onChange={(color) => form.setFieldValue("color", color as SiteColor)}
				>
					<Group gap="sm" mt="xs">
						{siteColors.map((color) => (
							<Radio
								key={color}
								size="xs"
								value={color}
								label={
									<Group gap={6} wrap="nowrap" component="span">
										<ColorSwatch component="span" size={14} color={siteAccent(color)} withShadow={false} />
										{t(`color.${color}`)}
									</Group>
								}
							/>
						))}
					</Group>
				</Radio.Group>
				<TextInput
					label={t("form.portal")}
					description={t("form.portalHint")}
					type="url"
					spellCheck={false}
					{...form.getInputProps("portal")}
				/>
				<TextInput
					label={t("form.server")}
					description={t("form.serverHint")}
					type="url"
					spellCheck={false}
					{...form.getInputProps("servers.0.address")}
				/>
				<TextInput
					label={`${t("form.direct")} (${t("form.optional")})`}
					description={t("form.directHint")}
					type="url"
					spellCheck={false}
					{...form.getInputProps("servers.0.direct")}
				/>
				<TextInput
					label={`${t("form.clientId")} (${t("form.optional")})`}
					description={t("form.clientIdHint")}
					spellCheck={false}
					{...form.getInputProps("clientId")}
				/>
				<TextInput
					label={`${t("form.caCertificate")} (${t("form.optional")})`}
					description={t("form.caHint")}
					spellCheck={false}
					{...form.getInputProps("connection.caCertificate")}
				/>
				<Checkbox
					label={t("form.readOnly")}
					description={t("form.readOnlyHint")}
					{...form.getInputProps("readOnly", { type: "checkbox" })}
				/>
				{problem ? <ProblemNotice problem={problem} /> : null}
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={onCancel}>
						{t("cancel")}
					</Button>
					<Button type="submit" loading={save.isPending}>
						{site ? t("form.save") : t("form.addSave")}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}

function Kind({ value, onChange }: { value: SiteKind; onChange: (kind: SiteKind) => void }) {
	const { t } = useTranslation(["sites", "common"]);
	const id = useId();
	return (
		<Input.Wrapper
			label={t("form.kind")}
			description={t("form.kindHint")}
			id={id}
			labelElement="div"
			labelProps={{ id: `${id}-label` }}
		>
			<SegmentedControl
				fullWidth
				mt={5}
				aria-labelledby={`${id}-label`}
				data={(["production", "test"] satisfies SiteKind[]).map((kind) => ({
					value: kind,
					label: t(`common:kind.${kind}`),
				}))}
				value={value}
				onChange={(kind) => onChange(kind as SiteKind)}
			/>
		</Input.Wrapper>
	);
}

function useSave(onSaved: (site: SiteView) => void) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (form: Form) => backend.saveSite(form),
		onSuccess: async (saved) => {
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
			// Another address or certificate may lead to another answer.
			void queries.invalidateQueries({ queryKey: ["site", saved.id] });
			onSaved(saved);
		},
	});
}
