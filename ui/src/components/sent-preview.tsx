import { Code, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { Foldable } from "./foldable";

export interface SentParameter {
	name: string;
	value: string;
	/** Shown as dots. */
	secret?: boolean;
}

interface SentPreviewProps {
	site: SiteView;
	/** Where it goes, when that is another address than the site is known by. */
	address?: string | null;
	/** Path below the site's address, as the specification names it; several where one act sends several requests. */
	path: string | readonly string[];
	parameters: readonly SentParameter[];
}

/** So many requests are shown; those behind differ by their path alone. */
const most = 50;

/** What will leave, request by request: for whoever wants to know, and for a ticket. */
export function SentPreview({ site, address, path, parameters }: SentPreviewProps) {
	const { t } = useTranslation("run");
	const paths = [path].flat();
	return (
		<Foldable title={t("sent.title")}>
			<Stack gap="xs">
				<Stack gap={4} align="flex-start">
					{paths.slice(0, most).map((one) => (
						<Code
							key={one}
							style={{ overflowWrap: "anywhere" }}
						>{`POST ${(address ?? "").replace(/\/+$/, "")}${one}`}</Code>
					))}
					{paths.length > most ? <Text size="sm">{t("sent.more", { count: paths.length - most })}</Text> : null}
				</Stack>
				{parameters.length === 0 ? null : (
					<Table withTableBorder withRowBorders={false} verticalSpacing={4} layout="fixed">
						<Table.Tbody>
							{parameters.map(({ name, value, secret }) => (
								<Table.Tr key={name}>
									<Table.Th w="40%" fw={500}>
										{name}
									</Table.Th>
									<Table.Td style={{ overflowWrap: "anywhere" }}>
										{value === "" ? t("sent.empty") : secret ? t("sent.secret") : value}
									</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
				)}
				<Text size="xs" c="dimmed">
					{t("sent.note", { site: site.name })}
				</Text>
			</Stack>
		</Foldable>
	);
}
