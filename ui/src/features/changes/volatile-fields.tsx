import { Button, Stack, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView, VolatileView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useCommand } from "@/lib/use-command";

interface VolatileFieldsProps {
	site: SiteView;
	fields: readonly VolatileView[];
}

/** Fields that change by themselves, and are not compared unless a user wants it. */
export function VolatileFields({ site, fields }: VolatileFieldsProps) {
	const { t } = useTranslation("changes", { keyPrefix: "volatile" });
	const apart = fields.filter(({ isCompared }) => !isCompared).length;
	const change = useCommand(
		(backend, { resourceKind, field, isCompared }: VolatileView) =>
			backend.setFieldCompared(site.id, resourceKind, field, !isCompared),
		(stale) => stale("setFieldCompared", site.id),
	);
	if (fields.length === 0) return null;
	return (
		<Foldable title={t("title", { count: apart })}>
			<Stack gap="xs">
				<Small>{t("hint")}</Small>
				<Table aria-label={t("label")}>
					<Table.Tbody>
						{fields.map((field) => (
							<Field
								key={`${field.resourceKind} ${field.field}`}
								field={field}
								busy={change.isPending}
								onChange={() => change.mutate(field)}
							/>
						))}
					</Table.Tbody>
				</Table>
				{change.error ? <ProblemNotice problem={change.error} /> : null}
			</Stack>
		</Foldable>
	);
}

interface FieldProps {
	field: VolatileView;
	busy: boolean;
	onChange: () => void;
}

function Field({ field: { resourceKind, field, learnedAt, isCompared }, busy, onChange }: FieldProps) {
	const { t } = useTranslation(["changes", "common"]);
	return (
		<Table.Tr>
			<Table.Td>{t(`common:changesFile.kinds.${resourceKind}`)}</Table.Td>
			<Table.Td mod="anywhere">{field}</Table.Td>
			<Table.Td>{t("volatile.learned", { at: formatTime(learnedAt) })}</Table.Td>
			<Table.Td>
				<Button
					disabled={busy}
					onClick={onChange}
					aria-label={t(isCompared ? "volatile.apartLabel" : "volatile.compareLabel", { field })}
				>
					{t(isCompared ? "volatile.apart" : "volatile.compare")}
				</Button>
			</Table.Td>
		</Table.Tr>
	);
}
