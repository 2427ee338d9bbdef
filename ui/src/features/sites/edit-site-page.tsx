import { Button, Checkbox, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { hashKey } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SiteForm, SiteView } from "@/bridge";
import { Notice, ProblemNotice } from "@/components/notice";
import { Page } from "@/components/page";
import { RedirectAddresses } from "@/components/redirect-addresses";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { Heading } from "@/components/text";
import { draftKey, labelled, useDraft, useFormFaults } from "@/lib/drafts";
import { useNavigation } from "@/lib/navigation";
import { copyOf, formOf, useSaveSite } from "@/lib/site-form";
import { IdentityFields } from "./fields/identity-fields";
import { ConnectionFields, PortalFields, ServerFields } from "./fields/server-fields";

const editDraft = draftKey<SiteDraft>();
const copyDraft = draftKey<SiteDraft>();

interface EditSitePageProps {
	site: SiteView;
	copy?: boolean;
}

/** Form of a saved site, or of a copy of it. */
export function EditSitePage({ site, copy = false }: EditSitePageProps) {
	// A change made elsewhere mounts the form again; the draft keeps the input.
	return <EditSite key={copy ? null : JSON.stringify(formOf(site))} site={site} copy={copy} />;
}

function EditSite({ site, copy }: Required<EditSitePageProps>) {
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const draft = useDraft((copy ? copyDraft : editDraft)(site.id));
	const [{ base, typed, current }] = useState(() => {
		const begin = copy ? copyOf(site, t("form.copyName", { site: site.name })) : formOf(site);
		const kept = draft.kept ?? { base: begin, typed: begin };
		// A copy is not saved yet, so nothing else can change it.
		const now = copy ? kept.base : begin;
		return { ...onTopOf(kept, now), current: now };
	});
	const [wasLeft, setWasLeft] = useState(!copy && isOther(typed, current));
	const form = useForm<SiteForm>({
		initialValues: typed,
		onValuesChange: (values) => draft.keep({ base, typed: values }),
	});
	const { clashes } = onTopOf({ base, typed: form.values }, current);
	const save = useSaveSite({
		onStored: () => draft.keep(null),
		onSaved: (saved) => go({ page: "overview", site: saved.id }),
	});
	const submit = (values: SiteForm) => {
		// A field that was changed back is not part of the changes, and must not revert a change made elsewhere.
		const { typed: wanted } = onTopOf({ base, typed: values }, current);
		form.setValues(wanted);
		save.mutate(wanted);
	};
	const problem = useFormFaults(save.error, form);
	// A read-only site must be unlocked first, and the unlock has a reason of its own.
	const isMarked = site.environment === "production" && !site.readOnly && !copy;
	const takesReason = isMarked && (form.values.environment !== "production" || moves(site, form.values));
	return (
		<Page
			title={t(copy ? "form.copyTitle" : "form.editTitle", { site: site.name })}
			description={copy ? t("form.copyDescription") : undefined}
		>
			<SubmitForm onSubmit={form.onSubmit(submit)}>
				<Stack gap="lg">
					{clashes ? <ChangedElsewhere onTake={() => form.setValues(current)} /> : null}
					{wasLeft && !clashes ? (
						<NotSaved
							onDiscard={() => {
								form.setValues(current);
								draft.keep(null);
								setWasLeft(false);
							}}
						/>
					) : null}
					<Section title={t("form.identityTitle")}>
						<IdentityFields form={form} />
						{takesReason || form.errors.reason ? (
							<TextInput {...labelled(t, "form.reason")} spellCheck {...form.getInputProps("reason")} />
						) : null}
					</Section>
					<Section title={t("form.portalTitle")}>
						<PortalFields form={form} />
						<ClientId form={form} site={site} />
					</Section>
					<Section title={t("form.serversTitle")}>
						<ServerFields form={form} />
					</Section>
					<Section title={t("connection.title")}>
						<ConnectionFields form={form} />
					</Section>
					{!copy && moves(site, form.values) ? (
						<>
							<Text role="status">{t("form.moves")}</Text>
							<Checkbox {...labelled(t, "form.isSame")} {...form.getInputProps("isSame", { type: "checkbox" })} />
						</>
					) : null}
					{!copy && isRerouted(site, form.values) ? <Text role="status">{t("form.reroutes")}</Text> : null}
					<ProblemNotice problem={problem} />
					<Group gap="xs">
						<SubmitButton loading={save.isPending}>{copy ? t("form.addSave") : t("form.save")}</SubmitButton>
						<Button
							onClick={() => {
								draft.keep(null);
								go(copy ? { page: "sites" } : { page: "overview", site: site.id });
							}}
						>
							{t("cancel")}
						</Button>
					</Group>
				</Stack>
			</SubmitForm>
		</Page>
	);
}

/** Notice that the site was changed elsewhere. The input stays unless the user replaces it with the current values. */
function ChangedElsewhere({ onTake }: { onTake: () => void }) {
	const { t } = useTranslation("sites");
	return (
		<Notice tone="warnings" title={t("elsewhere.title")}>
			<Text>{t("elsewhere.body")}</Text>
			<TakeCurrent onTake={onTake} />
		</Notice>
	);
}

/** Notice that the form contains unsaved input from an earlier visit. */
function NotSaved({ onDiscard }: { onDiscard: () => void }) {
	const { t } = useTranslation("sites");
	return (
		<Notice tone="warnings" title={t("notSaved.title")}>
			<Text>{t("notSaved.body")}</Text>
			<TakeCurrent onTake={onDiscard} />
		</Notice>
	);
}

function TakeCurrent({ onTake }: { onTake: () => void }) {
	const { t } = useTranslation("sites");
	const take = () => {
		onTake();
		// The button, which had the focus, is removed.
		document.getElementById("content")?.focus({ preventScroll: true });
	};
	return (
		<Group>
			<Button onClick={take}>{t("elsewhere.take")}</Button>
		</Group>
	);
}

/**
 * Whether typed values differ from the current ones. Both come from the same function, so their properties have the
 * same order.
 */
const isOther = (typed: SiteForm, current: SiteForm) =>
	JSON.stringify(typed) !== JSON.stringify(onTopOf({ base: current, typed: current }, current).typed);

/** Client ID, which the organization can preset for a portal, and the addresses to register for it. */
function ClientId({ form, site }: { form: UseFormReturnType<SiteForm>; site: SiteView }) {
	const { t } = useTranslation(["sites", "common"]);
	const set = site.organizationClientId;
	return (
		<>
			<TextInput
				label={t("form.clientId")}
				description={set === null ? t("form.clientIdHint") : t("common:settings.lockedByOrganisation")}
				{...(set === null ? form.getInputProps("clientId") : { value: set, disabled: true })}
			/>
			{set === null ? <RedirectAddresses /> : null}
		</>
	);
}

function Section({ title, children }: { title: string; children: ReactNode }) {
	const id = useId();
	return (
		<Stack component="section" aria-labelledby={id}>
			<Divider />
			<Heading id={id}>{title}</Heading>
			{children}
		</Stack>
	);
}

/** Whether saving ends the session: a token belongs to the URL that issued it. */
function moves(site: SiteView, form: SiteForm): boolean {
	const plain = (text: string | null) => (text ?? "").trim().replace(/\/+$/, "");
	const portal = plain(site.portal) !== plain(form.portal) || plain(site.portalAdminUrl) !== plain(form.portalAdminUrl);
	const stays = (server: SiteView["servers"][number]) =>
		form.servers.some(
			(other) =>
				other.id === server.id &&
				plain(other.address) === plain(server.address) &&
				plain(other.servicesUrl) === plain(server.servicesUrl) &&
				plain(other.adminUrl) === plain(server.adminUrl),
		);
	return portal || !site.servers.every(stays);
}

/** Whether saving ends the session: a token belongs to the route and the certificates with which the user signed in. */
function isRerouted({ connection }: SiteView, form: SiteForm): boolean {
	const { route, caCertificate, clientCertificate, trustedCertificates } = form.connection;
	const plain = (one: SiteView["connection"]) =>
		JSON.stringify([
			one.route,
			one.caCertificate.trim(),
			one.clientCertificate.trim(),
			one.trustedCertificates.map(({ origin, fingerprint }) => `${origin} ${fingerprint}`).sort(),
		]);
	return plain(connection) !== plain({ route, caCertificate, clientCertificate, trustedCertificates });
}

/** Unsaved input of a site form, with the site as it was when editing began. */
interface SiteDraft {
	base: SiteForm;
	typed: SiteForm;
}

interface OnTop<T> {
	/** Current values, except fields that changed on both sides. */
	base: T;
	/** Current values with the user's changes on top. */
	typed: T;
	/** Whether the user changed a field that the saved site now has with another value. */
	clashes: boolean;
}

/**
 * Applies the user's changes, field by field, to the current site. If both sides changed a field, the user's value
 * stays.
 */
export function onTopOf({ base, typed }: SiteDraft, current: SiteForm): OnTop<SiteForm> {
	const { connection: connectionThen, ...then } = base;
	const { connection: connectionHere, ...here } = typed;
	const { connection: connectionNow, ...now } = current;
	const fields = fieldsOnTop(then, here, now);
	const connection = fieldsOnTop(connectionThen, connectionHere, connectionNow);
	return {
		base: { ...fields.base, connection: connection.base },
		typed: { ...fields.typed, connection: connection.typed },
		clashes: fields.clashes || connection.clashes,
	};
}

function fieldsOnTop<T extends object>(base: T, typed: T, current: T): OnTop<T> {
	const result: OnTop<T> = { base: { ...current }, typed: { ...current }, clashes: false };
	for (const name of Object.keys(typed) as (keyof T)[]) {
		if (same(typed[name], base[name]) || same(typed[name], current[name])) continue;
		result.typed[name] = typed[name];
		if (same(current[name], base[name])) continue;
		result.base[name] = base[name];
		result.clashes = true;
	}
	return result;
}

/** Compares regardless of the order of properties. */
const same = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);
