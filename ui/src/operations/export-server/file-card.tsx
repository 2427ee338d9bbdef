import { Group, Input, Paper, Stack, Text } from "@mantine/core";
import { IconFolder } from "@tabler/icons-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { Small } from "@/components/text";
import { formatSize } from "@/lib/format";
import { useSuggestedExport } from "@/lib/queries/history";
import { serverOf } from "@/lib/target";

/** Suggested file of an export to this computer, with the size of the last one if it is known. */
export function FileCard({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	const id = useId();
	const { data } = useSuggestedExport(serverOf(site));
	if (!data) return null;
	const { name, lastSize } = data;
	return (
		<Input.Wrapper label={t("fileCard.label")} labelElement="div" labelProps={{ id }}>
			<Paper withBorder px="sm" py="xs" mt={5} role="group" aria-labelledby={id}>
				<Group gap="sm" wrap="nowrap">
					<IconFolder size={18} stroke={1.5} aria-hidden />
					<Stack gap={0} miw={0}>
						<Text mod="anywhere">{name}</Text>
						<Small>
							{lastSize === null ? t("fileCard.hint") : t("fileCard.hintSize", { size: formatSize(lastSize) })}
						</Small>
					</Stack>
				</Group>
			</Paper>
		</Input.Wrapper>
	);
}
