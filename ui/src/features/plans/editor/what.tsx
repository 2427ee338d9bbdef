import { Checkbox, NumberInput, Paper, Table, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BackupPlan, ServerId, SiteView } from "@/bridge";
import { Section } from "@/components/page";
import { FolderField, PathField } from "@/components/path-field";
import { PortalDestination } from "@/components/portal-destination";
import { Small } from "@/components/text";
import { usePreferences } from "@/lib/preferences";
import { useServerKind } from "@/lib/server-kind";
import { labelled } from "@/lib/use-form-faults";
import { type PlanFormHandle, seenAtOf } from "./values";

/** Form group: the parts of a plan and the destinations of their files. */
export function What({ site, plan, form }: { site: SiteView; plan: BackupPlan | null; form: PlanFormHandle }) {
	const { t } = useTranslation("plans");
	const kindOf = useServerKind();
	const onlyIn = usePreferences().policy?.plansFolder;
	const { t: ofExport } = useTranslation("exportPortal");
	const { hasPortal, kind, servers, deleteStored } = form.values;
	const choose = (server: ServerId, isChosen: boolean) =>
		form.setFieldValue("servers", isChosen ? [...servers, server] : servers.filter((one) => one !== server));
	const ofServer = t(deleteStored ? "edit.downloadAndDelete" : "edit.download");
	const fault = form.errors.servers;
	// A plan with a blob container cannot be saved without its key.
	const isKeyStored = plan?.parts.some((part) => part.kind === "portal" && part.store?.kind === "blob") ?? false;
	return (
		<Section title={t("edit.what")}>
			<Paper withBorder style={{ overflow: "hidden" }} data-path="servers" tabIndex={-1}>
				<Table aria-label={t("edit.what")}>
					<Table.Thead>
						<Table.Tr>
							<Table.Td w={40} />
							<Table.Th>{t("edit.part")}</Table.Th>
							<Table.Th>{t("edit.how")}</Table.Th>
							<Table.Th>{t("edit.expected")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{site.portal === null ? null : (
							<PartRow
								name={t("sets.portal")}
								how={kind === "folder" ? t("edit.onPortal") : ofExport(kind)}
								expected={t(seenAtOf(form.values) === null ? "edit.onSite" : "edit.verifiedHere")}
								isChosen={hasPortal}
								onChoose={(isChosen) => form.setFieldValue("hasPortal", isChosen)}
							/>
						)}
						{site.servers.map((server) => {
							const { id } = server;
							return id === null ? null : (
								<PartRow
									key={id}
									name={server.name}
									kind={kindOf(server)}
									how={ofServer}
									expected={t("edit.verifiedHere")}
									isChosen={servers.includes(id)}
									onChoose={(isChosen) => choose(id, isChosen)}
								/>
							);
						})}
					</Table.Tbody>
				</Table>
			</Paper>
			{fault ? (
				<Text size="xs" c="var(--mantine-color-error)" role="alert">
					{fault}
				</Text>
			) : null}
			{hasPortal ? (
				<>
					<PortalDestination
						kind={kind}
						getInputProps={form.getInputProps}
						keyHint={t(isKeyStored ? "edit.accountKeyStored" : "edit.accountKeyHint")}
					/>
					{kind === "folder" ? (
						<FolderField site={site} {...labelled(t, "edit.location")} {...form.getInputProps("location")} />
					) : (
						<TextInput
							label={ofExport("pointer")}
							description={ofExport("pointerHint")}
							spellCheck={false}
							{...form.getInputProps("location")}
						/>
					)}
					{kind === "folder" ? (
						<PathField
							kind="folder"
							placeholder={t("edit.noFolder")}
							{...labelled(t, "edit.seenAt")}
							chooseLabel={t("edit.chooseSeenAt")}
							removeLabel={t("edit.removeSeenAt")}
							{...form.getInputProps("seenAt")}
						/>
					) : null}
				</>
			) : null}
			<PathField
				kind="folder"
				placeholder={t("edit.noFolder")}
				label={t("edit.folder")}
				description={onlyIn ? `${t("edit.folderHint")} ${t("edit.onlyIn", { folder: onlyIn })}` : t("edit.folderHint")}
				chooseLabel={t("edit.chooseFolder")}
				{...form.getInputProps("folder")}
			/>
			<Checkbox {...labelled(t, "edit.deleteStored")} {...form.getInputProps("deleteStored", { type: "checkbox" })} />
			<NumberInput
				{...labelled(t, "edit.rehearse")}
				min={1}
				max={3650}
				allowDecimal={false}
				hideControls
				maw={400}
				{...form.getInputProps("rehearseDays")}
			/>
		</Section>
	);
}

interface PartRowProps {
	name: string;
	/** Role or type of the server. */
	kind?: string;
	how: string;
	expected: string;
	isChosen: boolean;
	onChoose: (isChosen: boolean) => void;
}

function PartRow({ name, kind, how, expected, isChosen, onChoose }: PartRowProps) {
	const { t } = useTranslation("plans");
	return (
		<Table.Tr>
			<Table.Td>
				<Checkbox
					aria-label={t("edit.include", { part: name })}
					checked={isChosen}
					onChange={(event) => onChoose(event.currentTarget.checked)}
				/>
			</Table.Td>
			<Table.Td mod="anywhere">
				{name}
				{kind ? <Small>{kind}</Small> : null}
			</Table.Td>
			<Table.Td>{how}</Table.Td>
			<Table.Td>{expected}</Table.Td>
		</Table.Tr>
	);
}
