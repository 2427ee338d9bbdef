import { ActionIcon, Button, Code, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Compared, SiteView, Substitution, SubstitutionView } from "@/bridge";
import { Board, FactCell } from "@/components/board";
import { ProblemNotice } from "@/components/notice";
import { SubmitForm } from "@/components/submit-form";
import { Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useCommand } from "@/lib/use-command";
import { useFormFaults } from "@/lib/use-form-faults";

interface SubstitutionsProps {
	site: SiteView;
	compared: Compared;
	sides: { left: string; right: string };
	all: readonly SubstitutionView[];
}

/** Texts that count as equal between two sites or servers, with what each makes equal. */
export function Substitutions({ site, compared, sides, all }: SubstitutionsProps) {
	const { t } = useTranslation("changes", { keyPrefix: "substitutions" });
	const form = useForm({ initialValues: { left: "", right: "" } });
	const save = useCommand(
		(backend, pairs: Substitution[]) => backend.saveSubstitutions(compared, pairs),
		(stale) => stale("saveSubstitutions", site.id),
		{ onDone: () => form.reset() },
	);
	const refused = useFormFaults(save.error, form);
	const pairs = all.map(({ pair }) => pair);
	const heads = [t("on", { site: sides.left }), t("on", { site: sides.right }), t("makes"), ""];
	return (
		<Stack gap="xs" component="section" aria-label={t("title")}>
			<Group justify="space-between">
				<Title order={2} size="h3">
					{t("title")}
				</Title>
				<Small>{t("hint", sides)}</Small>
			</Group>
			{all.length === 0 ? (
				<Text c="dimmed">{t("none")}</Text>
			) : (
				<Board label={t("title")} heads={heads}>
					{all.map((one) => (
						<Table.Tr key={one.pair.left}>
							<FactCell head={heads[0] ?? ""} below={null}>
								<Code>{one.pair.left}</Code>
							</FactCell>
							<FactCell head={heads[1] ?? ""} below={null}>
								<Code>{one.pair.right}</Code>
							</FactCell>
							<Made head={heads[2] ?? ""} one={one} />
							<Table.Td>
								<ActionIcon
									variant="subtle"
									disabled={save.isPending}
									aria-label={t("remove", { text: one.pair.left })}
									onClick={() => save.mutate(pairs.filter((pair) => pair !== one.pair))}
								>
									<IconX size={16} aria-hidden />
								</ActionIcon>
							</Table.Td>
						</Table.Tr>
					))}
				</Board>
			)}
			<SubmitForm onSubmit={form.onSubmit((pair) => save.mutate([...pairs, pair]))}>
				<Group gap="xs" align="flex-end">
					<TextInput size="xs" w={260} label={heads[0]} autoComplete="off" {...form.getInputProps("left")} />
					<TextInput size="xs" w={260} label={heads[1]} autoComplete="off" {...form.getInputProps("right")} />
					<Button type="submit" loading={save.isPending} leftSection={<IconPlus size={16} aria-hidden />}>
						{t("add")}
					</Button>
				</Group>
				{refused ? <ProblemNotice problem={refused} /> : null}
			</SubmitForm>
		</Stack>
	);
}

function Made({ head, one: { values, who, at } }: { head: string; one: SubstitutionView }) {
	const { t } = useTranslation("changes", { keyPrefix: "substitutions" });
	const source = at === null ? t("proposed") : t("added", { who, at: formatTime(at) });
	return (
		<FactCell head={head} below={source}>
			{values === 0 ? (
				<Group component="span" gap={4} wrap="nowrap">
					<IconAlertTriangle size={16} color="var(--tone-warnings)" aria-hidden />
					{t("nothing")}
				</Group>
			) : (
				t("values", { count: values })
			)}
		</FactCell>
	);
}
