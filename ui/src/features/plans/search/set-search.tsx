import { Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetSearch as Found, FoundServer, SetName, SiteView, UnsearchedSet } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { LoadingRows } from "@/components/loading-rows";
import { Pages, usePages } from "@/components/pages";
import { ProblemNotice } from "@/components/problem-notice";
import { SubmitForm } from "@/components/submit-form";
import { LinkButton } from "@/components/text";
import { draftKey, useDraft } from "@/lib/drafts";
import { formatDateTime, formatNumber } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useSetSearch } from "@/lib/queries/plans";
import { useFormFaults } from "@/lib/use-form-faults";
import { joined } from "@/messages/isolated";
import { useImportStep } from "../restore/use-import-step";
import { usePartName } from "../shown/part-name";
import { StrangeFolders } from "../shown/strange-folders";

const draftOf = draftKey<string>();

interface SetSearchProps {
	site: SiteView;
	title: ReactNode;
	act: ReactNode;
}

/** Search for a service in the sets of all plans of a site. It reads many files, so it starts only on submit. */
export function SetSearch({ site, title, act }: SetSearchProps) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	// Keeps the last search for Back from a set.
	const draft = useDraft(draftOf(site.id));
	const [asked, setAsked] = useState(draft.kept ?? "");
	const form = useForm({ initialValues: { words: asked } });
	const search = useSetSearch(site.id, asked);
	const refused = useFormFaults(search.error, form);
	return (
		<>
			<Group gap="sm">
				{title}
				<SubmitForm
					style={{ flex: 1 }}
					onSubmit={form.onSubmit(({ words }) => {
						const next = words.trim();
						draft.keep(next);
						if (next === asked && next !== "") void search.refetch();
						setAsked(next);
					})}
				>
					<Group gap="xs" wrap="nowrap">
						<TextInput
							size="xs"
							flex="0 1 300px"
							aria-label={t("words")}
							placeholder={t("placeholder")}
							leftSection={<IconSearch size={16} aria-hidden />}
							spellCheck={false}
							{...form.getInputProps("words")}
						/>
						<Button type="submit" flex="none" loading={search.isFetching}>
							{t("search")}
						</Button>
					</Group>
				</SubmitForm>
				{act}
			</Group>
			{refused ? <ProblemNotice problem={refused} /> : null}
			{search.isLoading ? <LoadingRows height={32} /> : null}
			{search.data ? <Result site={site} words={asked} found={search.data} /> : null}
		</>
	);
}

function Result({ site, words, found: { found, unsearched, unread, searched } }: ResultProps) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	const pages = usePages(found);
	const count = unsearched.length + unread.length;
	return (
		<>
			<Text role="status">
				{t("found", {
					count: found.length,
					formatted: formatNumber(found.length),
					words,
					searched: formatNumber(searched),
				})}
			</Text>
			{found.length === 0 ? null : (
				<Table aria-label={t("title")}>
					<Table.Thead>
						<Table.Tr>
							<Table.Th>{t("set")}</Table.Th>
							<Table.Th>{t("plan")}</Table.Th>
							<Table.Th>{t("has")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{pages.shown.map(({ set, servers }) => (
							<Table.Tr key={`${set.plan} ${set.name}`}>
								<Table.Td style={{ whiteSpace: "nowrap" }}>
									<SetLink site={site} set={set} />
								</Table.Td>
								<Table.Td>{set.planName}</Table.Td>
								<Table.Td mod="anywhere">
									{servers.map((server) => (
										<ServerPaths key={server.server} site={site} set={set} found={server} />
									))}
								</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			)}
			<Pages handle={pages} label={t("pages")} />
			{count === 0 ? null : (
				<Foldable title={t("unsearched", { count, formatted: formatNumber(count) })}>
					<Stack gap={4}>
						<StrangeFolders folders={unread} />
						<Unsearched site={site} sets={unsearched} />
					</Stack>
				</Foldable>
			)}
		</>
	);
}

interface ResultProps {
	site: SiteView;
	words: string;
	found: Found;
}

function SetLink({ site, set }: { site: SiteView; set: SetName }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const at = formatDateTime(set.started);
	return (
		<LinkButton
			aria-label={t("sets.openLabel", { at })}
			onClick={() => go({ page: "backup-set", site: site.id, plan: set.plan, set: set.name })}
		>
			{at}
		</LinkButton>
	);
}

/** Matching services of a server, the number of the others, and what an import of the set would change there. */
function ServerPaths({ site, set, found }: { site: SiteView; set: SetName; found: FoundServer }) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	const { t: plans } = useTranslation("plans");
	const nameOf = usePartName(site);
	const lead = useImportStep(site, set.plan, set.name);
	const { paths, count, server } = found;
	const more = count - paths.length;
	const shown = more === 0 ? paths : [...paths, t("more", { count: more, formatted: formatNumber(more) })];
	return (
		<>
			<Text>{`${nameOf(found)}: ${joined(shown, ", ")}`}</Text>
			{site.servers.some(({ id }) => id === server) ? (
				<LinkButton
					aria-label={plans("set.changeLabel", { part: nameOf(found) })}
					onClick={() => lead.mutate({ server })}
				>
					{plans("set.change")}
				</LinkButton>
			) : null}
			{lead.error ? <ProblemNotice problem={lead.error} /> : null}
		</>
	);
}

function Unsearched({ site, sets }: { site: SiteView; sets: readonly UnsearchedSet[] }) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	const nameOf = usePartName(site);
	const pages = usePages(sets);
	return (
		<>
			{pages.shown.map(({ set, servers }) => (
				<Group key={`${set.plan} ${set.name}`} gap="xs">
					<SetLink site={site} set={set} />
					<Text>
						{joined([set.planName, ...servers.map((server) => `${nameOf(server)}: ${t(`why.${server.why}`)}`)], " · ")}
					</Text>
				</Group>
			))}
			<Pages handle={pages} label={t("unsearchedPages")} />
		</>
	);
}
