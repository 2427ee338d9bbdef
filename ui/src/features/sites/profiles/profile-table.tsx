import { Checkbox, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type Problem, type ProfileView, useBackend } from "@/bridge";
import { DialogForm } from "@/components/dialog";
import { SiteDot } from "@/components/site-dot";
import { useStale } from "@/lib/use-command";
import { useNarrow } from "@/lib/use-narrow";
import { dotted } from "@/messages/isolated";
import { OtherHost } from "../fields/server-fields";

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

interface RowState {
	name: string;
	picked: boolean;
	/** Whether the user confirmed that the marked URLs belong to the site. */
	confirmed: boolean;
	problem: Problem | null;
	added: boolean;
	/** Number of backup plans that were added with it. */
	addedPlans: number;
}

interface ProfileRowProps {
	view: ProfileView;
	row: RowState;
	/** Whether the name is shown above the URLs. */
	narrow: boolean;
	/** Whether no change of the name makes the profile valid. */
	hopeless: boolean;
	onChange: (part: Partial<RowState>) => void;
}

/** Returns the URLs on another host than the visible one. */
function differing({ addresses }: ProfileView): string[] {
	return addresses.filter(({ differs }) => differs).map(({ address }) => address);
}

function isUnconfirmed(problem: Problem | null): boolean {
	return problem?.kind === "unconfirmedAddress";
}

/** Row of a profile: its name, which can be changed, and its URLs. */
function ProfileRow({ view, row, narrow, hopeless, onChange }: ProfileRowProps) {
	const { profile, samePlace } = view;
	const { t } = useTranslation(["sites", "common", "problems"]);
	const fault = row.problem?.kind === "form" ? t(`common:fault.${row.problem.fault}`) : null;
	// The row shows only the name of the site, so a fault of a server is named in full.
	const place = row.problem?.kind === "form" ? /^servers\.(\d+)\./.exec(row.problem.field)?.[1] : undefined;
	const why = fault !== null && place ? t("profiles.serverFault", { n: Number(place) + 1, fault }) : fault;
	// Existing profiles that are not selected need no name check.
	const nameMatters = !hopeless && !row.added && (row.picked || samePlace === null);
	const notes = [
		samePlace === null || row.added ? null : t("profiles.sameFolder", { site: samePlace }),
		profile.hadAuthority ? t("profiles.hadAuthority") : null,
		profile.hadClientCertificate ? t("profiles.hadClientCertificate") : null,
		profile.plans.length > 0 && !row.added ? t("profiles.plans", { count: profile.plans.length }) : null,
		row.added && row.addedPlans < profile.plans.length
			? t("profiles.plansLeftOut", { count: profile.plans.length - row.addedPlans })
			: null,
		hopeless && row.problem ? t("profiles.hopeless", { why: why ?? t("problems:form.title") }) : null,
	].filter((note) => note !== null);
	const name = (
		<TextInput
			aria-label={t("profiles.nameOf", { site: profile.name })}
			readOnly={row.added || hopeless}
			leftSection={<SiteDot color={profile.color} />}
			value={row.name}
			error={nameMatters ? fault : null}
			onChange={(event) => onChange({ name: event.currentTarget.value, problem: null, picked: true })}
		/>
	);
	return (
		<Table.Tr>
			<Table.Td>
				{row.added ? (
					<IconCheck size={18} role="img" aria-label={t("profiles.isAdded", { site: row.name })} />
				) : (
					<Checkbox
						aria-label={t("profiles.pick", { site: row.name })}
						disabled={hopeless}
						checked={row.picked}
						onChange={(event) => onChange({ picked: event.currentTarget.checked })}
					/>
				)}
			</Table.Td>
			{narrow ? null : <Table.Td>{name}</Table.Td>}
			<Table.Td>
				<Stack gap={2}>
					{narrow ? name : null}
					<Text>{dotted(t(`common:kind.${profile.environment}`), profile.readOnly ? t("form.readOnly") : null)}</Text>
					<Addresses view={view} />
					{differing(view).length > 0 && !row.added ? (
						<Checkbox
							my={4}
							styles={{ labelWrapper: { minWidth: 0 } }}
							attributes={{ label: { "data-anywhere": true } }}
							label={t("profiles.confirm", { site: row.name })}
							checked={row.confirmed}
							disabled={hopeless}
							error={isUnconfirmed(row.problem) ? t("profiles.confirmFirst") : null}
							onChange={(event) => {
								const confirmed = event.currentTarget.checked;
								onChange({ confirmed, picked: confirmed, problem: isUnconfirmed(row.problem) ? null : row.problem });
							}}
						/>
					) : null}
					{notes.map((note) => (
						<Text key={note} mod="anywhere">
							{note}
						</Text>
					))}
				</Stack>
			</Table.Td>
		</Table.Tr>
	);
}

/** All URLs that the site would use, with their role. URLs on another host are marked. */
function Addresses({ view: { profile, addresses } }: { view: ProfileView }) {
	const { t } = useTranslation("sites");
	if (addresses.length === 0) {
		const raw = [profile.portal, ...profile.servers.map(({ address }) => address)];
		return raw
			.filter((address) => address !== "")
			.map((address) => (
				<Text key={address} c="dimmed" mod="anywhere">
					{address}
				</Text>
			));
	}
	return addresses.map(({ address, role, differs }, place) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the URLs keep the order of the file
		<Text key={place} mod="anywhere" {...(differs ? { fw: 600 } : { c: "dimmed" })}>
			<span>{t(`profiles.role.${role}`, { address })}</span> {differs ? <OtherHost /> : null}
		</Text>
	));
}
