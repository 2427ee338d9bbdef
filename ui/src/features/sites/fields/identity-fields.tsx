import { Checkbox, ColorSwatch, Group, Input, Radio, SegmentedControl, SimpleGrid, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Environment, SiteColor, SiteForm } from "@/bridge";
import { labelled } from "@/lib/drafts";
import { siteAccent, siteColors } from "@/lib/site-color";

export function IdentityFields({ form }: { form: UseFormReturnType<SiteForm> }) {
	const { t } = useTranslation("sites");
	return (
		<>
			{/* Aligned at the bottom, because the descriptions can wrap. */}
			<Group align={form.errors.name || form.errors.environment ? "flex-start" : "flex-end"}>
				<TextInput flex="1 1 240px" {...labelled(t, "form.name")} {...form.getInputProps("name")} />
				{/* The practice site keeps its environment. */}
				{form.values.environment === "practice" ? null : (
					<Kind
						value={form.values.environment}
						onChange={(kind) => form.setFieldValue("environment", kind)}
						error={form.errors.environment}
					/>
				)}
			</Group>
			<Radio.Group
				{...labelled(t, "form.color")}
				value={form.values.color}
				onChange={(color) => form.setFieldValue("color", color as SiteColor)}
			>
				<SimpleGrid
					type="container"
					cols={{ base: 2, "22rem": 4, "44rem": 7 }}
					spacing="sm"
					verticalSpacing="xs"
					mt="xs"
				>
					{siteColors.map((color) => (
						<Radio
							key={color}
							size="xs"
							styles={{ label: { paddingInlineStart: 8 } }}
							value={color}
							label={
								<Group gap="xs" wrap="nowrap" component="span">
									<ColorSwatch component="span" size={14} color={siteAccent(color)} withShadow={false} />
									{t(`color.${color}`)}
								</Group>
							}
						/>
					))}
				</SimpleGrid>
			</Radio.Group>
			<Checkbox {...labelled(t, "form.readOnly")} {...form.getInputProps("readOnly", { type: "checkbox" })} />
		</>
	);
}

interface KindProps {
	value: Environment;
	onChange: (kind: Environment) => void;
	error: ReactNode;
}

function Kind({ value, onChange, error }: KindProps) {
	const { t } = useTranslation(["sites", "common"]);
	const id = useId();
	return (
		<Input.Wrapper
			{...labelled(t, "form.kind")}
			error={error}
			data-path="environment"
			id={id}
			labelElement="div"
			labelProps={{ id: `${id}-label` }}
		>
			<SegmentedControl
				fullWidth
				// Same distance from the description as in a field.
				mt={4}
				aria-labelledby={`${id}-label`}
				data={(["production", "test"] satisfies Environment[]).map((kind) => ({
					value: kind,
					label: t(`common:kind.${kind}`),
				}))}
				value={value}
				onChange={(kind) => onChange(kind as Environment)}
			/>
		</Input.Wrapper>
	);
}
