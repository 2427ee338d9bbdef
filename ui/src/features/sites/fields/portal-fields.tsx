import { TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteForm } from "@/bridge";

interface PortalFieldsProps {
	form: UseFormReturnType<SiteForm>;
	/** Information about the portal, for example how it was found. */
	about?: ReactNode;
}

export function PortalFields({ form, about }: PortalFieldsProps) {
	const { t } = useTranslation("sites");
	return (
		<>
			<TextInput
				label={t("form.portal")}
				description={t("form.portalHint")}
				type="url"
				spellCheck={false}
				{...form.getInputProps("portal")}
			/>
			{about}
			<TextInput
				label={t("form.portalAdminUrl")}
				description={t("form.portalDirectHint")}
				type="url"
				spellCheck={false}
				{...form.getInputProps("portalAdminUrl")}
			/>
		</>
	);
}
