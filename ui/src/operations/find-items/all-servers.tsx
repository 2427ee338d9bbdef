import { Group, Stack, Table, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
	asProblem,
	type FoundItems,
	type ItemQuery,
	type ItemRows,
	type Problem,
	type SiteView,
	useBackend,
} from "@/bridge";
import { CommandButton, Notice } from "@/components/notice";
import { SearchField } from "@/components/path-field";
import { LinkButton, Small, Time } from "@/components/text";
import { Heads, WideTable } from "@/components/wide-table";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import { useBring } from "@/lib/navigation";
import { useProblemSummary } from "@/lib/problem-text";
import { pageSize } from "@/lib/queries/items";
import { useRunStore } from "@/lib/runs";
import { useServerKind } from "@/lib/server-kind";
import { serverNameOf } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { typeText } from "./checks";
import { everything, request, usualOrder } from "./values";

interface ServerEnd {
	id: string | null;
	name: string;
	/** Matching rows; `null` if the search failed or was stopped. */
	rows: ItemRows | null;
	/** Role or type of the server. */
	kind: string;
	/** Whether the server did not return all of its items. */
	isPartial: boolean;
	problem: Problem | null;
}

interface Found {
	words: string;
	at: number;
	servers: ServerEnd[];
}

const foundOf = draftKey<Found | null>();

/** Search over all servers of a site. Each row shows its server; servers without a result show the reason. */
export function AllServers({ site }: { site: SiteView }) {
	const { t } = useTranslation("findItems", { keyPrefix: "allServers" });
	const [found, setFound] = useSessionState(foundOf(site.id), null);
	const [words, setWords] = useState(found?.words ?? "");
	const [runs, setRuns] = useState<readonly string[]>([]);
	const searchOne = useSearchOne(site);
	const store = useRunStore();
	const search = useMutation({
		mutationFn: async () => {
			const wanted = words.trim();
			const begun = site.servers.map((server) => ({ server, run: crypto.randomUUID() }));
			setRuns(begun.map(({ run }) => run));
			const servers = await Promise.all(begun.map(({ server, run }) => searchOne(server, run, wanted)));
			// Results on this page need no row in the operations panel.
			for (const { run } of begun) store.dismiss(run);
			return { words: wanted, at: Date.now(), servers };
		},
		onSuccess: setFound,
	});
	const stop = useCommand((backend) => Promise.all(runs.map((run) => backend.stopRun(run))));
	if (site.servers.length < 2) return null;
	return (
		<Stack gap="sm">
			<Group gap="xs" align="flex-end">
				<SearchField
					size="xs"
					flex="1 1 240px"
					maw={420}
					label={t("title")}
					hasKey={false}
					value={words}
					onChange={setWords}
				/>
				<CommandButton command={search} label={t("search")} disabled={words.trim() === ""} />
				{search.isPending ? <CommandButton command={stop} label={t("stop")} /> : null}
			</Group>
			{found && !search.isPending ? <Result site={site} found={found} /> : null}
			<Title order={2} size="h5">
				{t("one", { server: serverNameOf("find_items", site) })}
			</Title>
		</Stack>
	);
}

/** Searches one server without replacing the last search of its own page. */
function useSearchOne(site: SiteView) {
	const backend = useBackend();
	const kindOf = useServerKind();
	return async (server: SiteView["servers"][number], run: string, words: string): Promise<ServerEnd> => {
		const target = { site: site.id, server: server.id };
		const query: ItemQuery = { ...usualOrder, filter: words, type: null };
		const about = { id: server.id, name: server.name, kind: kindOf(server), isPartial: false };
		try {
			const ended = await backend.findItems(target, run, request(everything), { query, most: pageSize, apart: true });
			if (ended.kind !== "done")
				return { ...about, rows: null, problem: ended.kind === "failed" ? ended.problem : null };
			const report: FoundItems = ended.report;
			return { ...about, rows: report.first, isPartial: report.search.gap !== null, problem: null };
		} catch (thrown) {
			return { ...about, rows: null, problem: asProblem(thrown) };
		}
	};
}

function Result({ site, found: { words, at, servers } }: { site: SiteView; found: Found }) {
	const { t } = useTranslation("findItems", { keyPrefix: "allServers" });
	const { t: texts } = useTranslation("findItems");
	const textOf = useProblemSummary();
	const bring = useBring();
	const parameters = [{ name: "ancestorPath", value: "/" }];
	const answered = servers.filter(({ rows }) => rows !== null);
	const count = answered.reduce((sum, { rows }) => sum + (rows?.matching ?? 0), 0);
	const lines = answered.flatMap((server) => (server.rows?.rows ?? []).map((row) => ({ server, row })));
	const names = (some: readonly ServerEnd[]) => formatList(some.map(({ name }) => name));
	const partial = servers.filter(({ isPartial }) => isPartial);
	const stopped = servers.filter(({ rows, problem }) => rows === null && problem === null);
	return (
		<Stack gap="sm">
			<Text role="status">
				{t("found", { count, words, servers: names(answered), answered: answered.length, all: servers.length })}{" "}
				<Time at={at} />
			</Text>
			{servers.map(({ id, name, problem }) =>
				problem ? (
					<Notice key={id} tone="failed" title={t("failed", { server: name })}>
						<Text mod="anywhere">{textOf(problem)}</Text>
					</Notice>
				) : null,
			)}
			{stopped.length > 0 ? <Notice tone="notSent" title={t("stopped", { servers: names(stopped) })} /> : null}
			{partial.length > 0 ? <Notice tone="warnings" title={t("partial", { servers: names(partial) })} /> : null}
			{lines.length > 0 ? (
				<WideTable
					label={t("table")}
					head={<Heads of={[[t("server"), { w: "22%" }], t("item"), [t("type"), { w: "24%" }]]} />}
				>
					{lines.map(({ server, row }) => (
						<Table.Tr key={`${server.id} ${row.item}`}>
							<Table.Td mod="anywhere">
								{server.name}
								<Small>{server.kind}</Small>
							</Table.Td>
							<Table.Td mod="anywhere">
								<LinkButton
									ta="start"
									aria-label={t("open", { item: row.path, server: server.name })}
									onClick={() =>
										bring({ site: site.id, server: server.id }, "find_items", {
											parameters,
											sentAt: null,
											narrow: row.path,
										})
									}
								>
									{row.name}
								</LinkButton>
								<Small>{row.path}</Small>
							</Table.Td>
							<Table.Td>{typeText(texts, row.type)}</Table.Td>
						</Table.Tr>
					))}
				</WideTable>
			) : null}
			{count > lines.length ? <Text>{t("more", { count: count - lines.length })}</Text> : null}
		</Stack>
	);
}
