import { Checkbox, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type Problem, type ProfileView, useBackend } from "@/bridge";
import { DialogForm } from "@/components/dialog";
import { useStale } from "@/lib/use-command";
import { useNarrow } from "@/lib/use-narrow";
import { differing, isUnconfirmed, ProfileRow, type RowState } from "./profile-row";

interface ProfileTableProps {
	path: string;
	profiles: readonly ProfileView[];
	onClose: () => void;
}

/** Profiles of a file with what they would add. Saved sites are not changed. */
export function ProfileTable({ path, profiles, onClose }: ProfileTableProps) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const stale = useStale();
	const narrow = useNarrow();
	const content = useRef<HTMLParagraphElement>(null);
	// The button that had the focus is gone; the focus must stay in the dialog.
	useEffect(() => content.current?.focus(), []);
	const [rows, setRows] = useState(() => profiles.map(stateOf));
	const change = (place: number, part: Partial<RowState>) =>
		setRows((before) => before.map((row, at) => (at === place ? { ...row, ...part } : row)));
	const picked = rows.filter((row) => row.picked && !row.added);
	const save = useMutation({
		mutationFn: async () => {
			// One at a time, so that the second of two equal names is rejected.
			for (const [place, row] of rows.entries()) {
				const one = profiles[place];
				if (!one || !row.picked || row.added) continue;
				try {
					const { plans } = await backend.addProfile(one.profile, row.name, row.confirmed ? differing(one) : []);
					change(place, { added: true, addedPlans: plans, problem: null });
				} catch (thrown) {
					change(place, { problem: asProblem(thrown) });
				}
			}
			await stale("addProfile");
		},
	});
	const added = rows.filter((row) => row.added).length;
	const free = rows.filter((row) => !row.added && !isHopeless(row.problem));
	return (
		<DialogForm
			onClose={onClose}
			cancel={added > 0 ? t("close") : t("cancel")}
			confirm={t("profiles.add", { count: picked.length })}
			ready={picked.length > 0}
			busy={save.isPending}
			onConfirm={() => save.mutate()}
			status={added > 0 ? t("profiles.added", { count: added }) : ""}
		>
			<Text ref={content} tabIndex={-1} mod="anywhere">
				{t("profiles.in", { path })}
			</Text>
			<Table withTableBorder verticalSpacing="xs" layout="fixed">
				<Table.Thead>
					<Table.Tr>
						<Table.Th w={44}>
							<Checkbox
								aria-label={t("profiles.all")}
								disabled={free.length === 0}
								checked={free.length > 0 && free.every((row) => row.picked)}
								indeterminate={free.some((row) => row.picked) && !free.every((row) => row.picked)}
								onChange={(event) => {
									const { checked } = event.currentTarget;
									setRows(rows.map((row) => (free.includes(row) ? { ...row, picked: checked } : row)));
								}}
							/>
						</Table.Th>
						<Table.Th>{t("form.name")}</Table.Th>
						{narrow ? null : <Table.Th w="56%">{t("profiles.what")}</Table.Th>}
					</Table.Tr>
				</Table.Thead>
				<Table.Tbody>
					{rows.map((row, place) => {
						const one = profiles[place];
						return one ? (
							<ProfileRow
								// biome-ignore lint/suspicious/noArrayIndexKey: the rows keep the order of the file
								key={place}
								view={one}
								row={row}
								narrow={narrow}
								hopeless={isHopeless(row.problem)}
								onChange={(part) => change(place, part)}
							/>
						) : null;
					})}
				</Table.Tbody>
			</Table>
			<Text c="dimmed">{t("profiles.trust")}</Text>
		</DialogForm>
	);
}

/**
 * Returns the initial state of a row. A profile is not selected if it has a problem, exists already, or has URLs on
 * another host.
 */
function stateOf(view: ProfileView): RowState {
	const { profile, problem, samePlace } = view;
	const picked = problem === null && samePlace === null && differing(view).length === 0;
	return { name: profile.name, picked, confirmed: false, problem, added: false, addedPlans: 0 };
}

/** Whether the problem cannot be resolved here: only a name can be changed, and another host can be confirmed. */
function isHopeless(problem: Problem | null): boolean {
	return problem?.kind === "form" ? problem.field !== "name" : problem !== null && !isUnconfirmed(problem);
}
