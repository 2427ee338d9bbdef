import { Checkbox, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Problem, ProfileView } from "@/bridge";
import { SiteDot } from "@/components/site-dot";

export interface RowState {
	name: string;
	picked: boolean;
	/** Why it cannot be saved like this. */
	problem: Problem | null;
	added: boolean;
}

interface ProfileRowProps {
	view: ProfileView;
	row: RowState;
	/** No other name would help. */
	hopeless: boolean;
	onChange: (part: Partial<RowState>) => void;
}

/** One profile of a file: its name, which may be changed, and where it is. */
export function ProfileRow({ view: { profile, samePlace }, row, hopeless, onChange }: ProfileRowProps) {
	const { t } = useTranslation(["sites", "common", "problems"]);
	const fault = row.problem?.kind === "form" ? t(`common:fault.${row.problem.fault}`) : null;
	// Of what is there already and is not picked, the name matters to nobody.
	const nameMatters = !hopeless && !row.added && (row.picked || samePlace === null);
	const { route } = profile;
	const notes = [
		samePlace === null || row.added ? null : t("profiles.samePlace", { site: samePlace }),
		route.kind === "proxy" ? t("profiles.proxy", { address: route.address }) : null,
		profile.hadAuthority ? t("profiles.hadAuthority") : null,
		profile.hadClientCertificate ? t("profiles.hadClientCertificate") : null,
		hopeless && row.problem ? t("profiles.hopeless", { why: fault ?? t("problems:form.title") }) : null,
	].filter((note) => note !== null);
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
			<Table.Td>
				<TextInput
					aria-label={t("profiles.nameOf", { site: profile.name })}
					readOnly={row.added || hopeless}
					leftSection={<SiteDot color={profile.color} />}
					spellCheck={false}
					value={row.name}
					error={nameMatters ? fault : null}
					onChange={(event) => onChange({ name: event.currentTarget.value, problem: null, picked: true })}
				/>
			</Table.Td>
			<Table.Td>
				<Stack gap={2}>
					<Group gap="xs">
						<Text size="sm" fw={500}>
							{t(`common:kind.${profile.kind}`)}
						</Text>
						{profile.readOnly ? <Text size="sm">{t("form.readOnly")}</Text> : null}
					</Group>
					{[profile.portal, ...profile.servers.map(({ address }) => address)]
						.filter((address) => address !== "")
						.map((address) => (
							<Text key={address} size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
								{address}
							</Text>
						))}
					{notes.map((note) => (
						<Text key={note} size="sm" style={{ overflowWrap: "anywhere" }}>
							{note}
						</Text>
					))}
				</Stack>
			</Table.Td>
		</Table.Tr>
	);
}
