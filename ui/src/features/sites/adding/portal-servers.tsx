import { Box, Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundServerView, Problem, ServerForm, SiteView } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Small } from "@/components/text";
import { faultText, useFormFaults } from "@/lib/drafts";
import { hostOf } from "@/lib/format";
import { useFoundServers } from "@/lib/queries/site";
import { formOf, useSaveSite } from "@/lib/site-form";
import { dotted } from "@/messages/isolated";
import { OtherHost, ServerKindSelect } from "../fields/server-fields";
import { FellBack } from "./fell-back";

interface Change extends Partial<Pick<ServerForm, "name" | "role" | "serverType">> {
	isLeftOut?: boolean;
}

/** The fields show their faults themselves; a form is passed only to move the focus. */
const noForm = { setErrors: () => {} };

/** Servers that the portal lists. All are added unless the user clears one. Saved servers take over the listed role. */
export function PortalServers({ site, onDone }: { site: SiteView; onDone: () => void }) {
	const { t } = useTranslation("sites");
	const [changes, setChanges] = useState<Readonly<Record<string, Change>>>({});
	const listed = useFoundServers(site);
	const save = useSaveSite({ onSaved: onDone });
	const problem = useFormFaults(save.error, noForm);
	const hint = useId();
	const rows = (listed.data ?? []).map((server) => {
		const { isLeftOut = false, ...change } = changes[keyOf(server)] ?? {};
		const saved = site.servers.find(({ id }) => id !== null && id === server.form.id);
		const form = { ...server.form, role: server.form.role || (saved?.role ?? ""), ...change };
		return { server, form, isPicked: saved !== undefined || !isLeftOut };
	});
	const added = rows.filter(({ form, isPicked }) => form.id === null && isPicked).map(({ form }) => form);
	const kept = site.servers.map((saved) => {
		const row = rows.find(({ form }) => form.id !== null && form.id === saved.id);
		return row ? { ...saved, name: row.form.name, serverType: row.form.serverType, role: row.form.role } : saved;
	});
	const servers = [...kept, ...added];
	const isAsSaved = JSON.stringify(servers) === JSON.stringify(site.servers);
	const keep = () => (isAsSaved ? onDone() : save.mutate({ ...formOf(site), servers }));
	// Continuing without any server is not suggested while the portal lists some.
	const isSuggested = servers.length > 0 || rows.length === 0;
	return (
		<Stack>
			{site.portal === null ? <Text>{t("servers.noPortal")}</Text> : null}
			{listed.isFetching ? <LoadingRows rows={2} height={28} /> : null}
			<ProblemNotice problem={listed.error} onRetry={() => void listed.refetch()} />
			{listed.data?.length === 0 ? <Text>{t("servers.portalKnowsNone")}</Text> : null}
			{rows.length > 0 ? (
				<Stack gap="sm" role="group" aria-label={t("servers.portalKnows")} aria-describedby={hint}>
					<Small id={hint}>{t("servers.portalKnowsHint")}</Small>
					{rows.map(({ server, form, isPicked }) => {
						const key = keyOf(server);
						const place = form.id === null ? site.servers.length + added.indexOf(form) : placeOf(site, form);
						return (
							<OneServer
								key={key}
								site={site}
								server={{ ...server, form }}
								isPicked={isPicked}
								field={isPicked ? `servers.${place}.name` : null}
								fault={save.error}
								onChange={(change) => {
									// The fault refers to a position in the saved list, which a change can shift.
									if (save.error) save.reset();
									setChanges((now) => ({ ...now, [key]: { ...now[key], ...change } }));
								}}
							/>
						);
					})}
				</Stack>
			) : null}
			<ProblemNotice problem={problem} />
			<Group>
				<Button
					variant={isSuggested && !listed.isLoading ? "filled" : "default"}
					loading={save.isPending}
					onClick={keep}
				>
					{added.length > 0 ? t("servers.keep", { count: added.length }) : t("adding.done")}
				</Button>
			</Group>
		</Stack>
	);
}

interface OneServerProps {
	site: SiteView;
	server: FoundServerView;
	isPicked: boolean;
	/** Name of the field in the site form; `null` if the server is not added. */
	field: string | null;
	fault: Problem | null;
	onChange: (change: Change) => void;
}

function OneServer({ site, server: { form, version, fellBack }, isPicked, field, fault, onChange }: OneServerProps) {
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const isSaved = form.id !== null;
	const details = [form.address, version ? t("found.version", { version }) : null, isSaved ? t("servers.kept") : null];
	const label = (what: string) => `${what} ${form.address}`;
	return (
		<Stack gap={4}>
			<Group align="flex-start" gap="sm">
				<Checkbox
					flex="1 1 240px"
					checked={isPicked}
					disabled={isSaved}
					onChange={(event) => onChange({ isLeftOut: !event.currentTarget.checked })}
					label={form.name || form.address}
					description={
						<>
							{dotted(...details)} {isElsewhere(site, form.address) ? <OtherHost /> : null}
						</>
					}
				/>
				{field === null ? null : (
					<>
						<TextInput
							flex="0 1 200px"
							aria-label={label(t("form.serverName"))}
							data-path={field}
							value={form.name}
							onChange={(event) => onChange({ name: event.currentTarget.value })}
							error={faultText(common, fault, field)}
						/>
						<ServerKindSelect w={180} aria-label={label(t("form.serverKind"))} server={form} onKind={onChange} />
					</>
				)}
			</Group>
			{fellBack ? (
				<Box ms={32}>
					<FellBack fellBack={fellBack} />
				</Box>
			) : null}
		</Stack>
	);
}

/** Returns a key that stays the same when the list is read again. */
function keyOf({ form: { address, servicesUrl } }: FoundServerView): string {
	return `${address} ${servicesUrl}`;
}

function placeOf(site: SiteView, { id }: ServerForm): number {
	return site.servers.findIndex((saved) => saved.id === id);
}

/** Whether a server is on another host than the portal. Ports are ignored. */
function isElsewhere({ portal }: SiteView, address: string): boolean {
	return portal !== null && hostOf(portal) !== hostOf(address);
}
