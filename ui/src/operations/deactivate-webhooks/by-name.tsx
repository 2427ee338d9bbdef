import { Stack, TagsInput, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivateReport, DeactivateWebhooksForm, SiteView } from "@/bridge";
import { pageWidths } from "@/components/page";
import { PreviousValues } from "@/components/previous-values";
import type { OperationHandle } from "@/lib/use-operation";
import { Send } from "./send";
import { useChoice } from "./use-choice";

interface ByNameProps {
	site: SiteView;
	handle: OperationHandle<DeactivateReport, DeactivateWebhooksForm>;
}

/** Form for a server that does not list its services: the user enters their names. */
export function ByName({ site, handle }: ByNameProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const choice = useChoice(site);
	return (
		<Stack maw={pageWidths.form}>
			<Text>{t("byName.hint")}</Text>
			<PreviousValues site={site} operation="deactivate_webhooks" onFill={choice.fill} />
			<TagsInput
				label={t("services")}
				description={t("byName.servicesHint")}
				spellCheck={false}
				acceptValueOnBlur
				// Names can contain commas.
				splitChars={["\n"]}
				isDuplicate={(path, others) => others.includes(path)}
				value={choice.paths}
				onChange={choice.choose}
			/>
			<Send
				site={site}
				handle={handle}
				choice={choice}
				list={null}
				chosen={choice.paths.map((path) => ({ path, active: null }))}
				first={t("byName.first")}
			/>
		</Stack>
	);
}
