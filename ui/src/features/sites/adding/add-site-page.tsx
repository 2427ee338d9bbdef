import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundView, SiteForm, SiteId, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { Page } from "@/components/page";
import { Step } from "@/components/step";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { useFormFaults } from "@/lib/drafts";
import { useNavigation } from "@/lib/navigation";
import { useSession, useSites } from "@/lib/queries/program";
import { roleText } from "@/lib/role-text";
import { emptyServer, formOf, useSaveSite, withoutPasswords } from "@/lib/site-form";
import { dotted } from "@/messages/isolated";
import { IdentityFields } from "../fields/identity-fields";
import { SignInForm } from "../signing-in/sign-in-form";
import { AddressStep } from "./address-step";
import { PortalServers } from "./portal-servers";

/** Adds a site, from any of its URLs to the saved site. Input is kept when the page is left. */
export function AddSitePage() {
	const [begun, setBegun] = useState(0);
	// Starting over mounts a new form.
	return <Adding key={begun} onAnew={() => setBegun(begun + 1)} />;
}

function Adding({ onAnew }: { onAnew: () => void }) {
	const { t } = useTranslation(["sites", "common"]);
	const { t: common } = useTranslation("common");
	const { go } = useNavigation();
	const [draft, setDraft] = useState(loadDraft);
	const change = (part: Partial<typeof draft>) => {
		const after = { ...loadDraft(), ...part };
		keepDraft(after);
		setDraft(after);
	};
	const form = useForm<SiteForm>({ initialValues: draft.form, onValuesChange: (values) => change({ form: values }) });
	const site = useSites().data?.find(({ id }) => id === draft.added) ?? null;
	const session = useSession(site).data ?? null;
	const save = useSaveSite({ onStored: (saved) => change({ added: saved.id }) });
	const submit = (values: SiteForm) =>
		save.mutate(values, {
			// Shows the fields, so that the fault can be corrected.
			onError: ({ kind }) => kind === "form" && change({ byHand: true }),
		});
	const found = (view: FoundView) => {
		change({ found: view, alone: false });
		// Without its portal, a server is added only if the user confirms it.
		if (view.site && !view.site.unreachedPortal) form.setValues(filledIn(form.getValues(), view.site));
	};
	const addAlone = () => {
		change({ alone: true });
		if (draft.found?.site) form.setValues(filledIn(form.getValues(), draft.found.site));
	};
	const isUndecided = draft.found?.site?.unreachedPortal != null && !draft.alone;
	const problem = useFormFaults(save.error, form);
	const isBegun = JSON.stringify(draft) !== JSON.stringify(emptyDraft);
	const leave = (to: SiteView) => {
		keepDraft(null);
		go({ page: "overview", site: to.id });
	};
	return (
		<Page
			title={t("add")}
			description={site ? undefined : t("adding.description")}
			actions={
				site || isBegun ? (
					<Button
						onClick={() => {
							keepDraft(null);
							onAnew();
						}}
					>
						{site ? t("adding.another") : t("adding.discard")}
					</Button>
				) : null
			}
		>
			<Stack gap="xl">
				<Step number={1} title={t("adding.address")} done={site !== null}>
					{site ? (
						<Text mod="anywhere">{dotted(site.portal, ...site.servers.map(({ address }) => address))}</Text>
					) : (
						<AddressStep
							form={form}
							pasted={draft.pasted}
							onPasted={(pasted) => change({ pasted })}
							found={draft.found}
							onFound={found}
							alone={draft.alone}
							onAlone={addAlone}
							byHand={draft.byHand}
							onByHand={() => {
								change({ byHand: true });
								if (form.values.servers.length === 0) form.setFieldValue("servers", [emptyServer]);
							}}
						/>
					)}
				</Step>
				<Step number={2} title={t("adding.name")} done={site !== null}>
					{site ? (
						<Added site={site} />
					) : isUndecided ? (
						<Later>{t("adding.portalFirst")}</Later>
					) : (
						<SubmitForm onSubmit={form.onSubmit(submit)}>
							<Stack>
								<IdentityFields form={form} />
								<ProblemNotice problem={problem} />
								<Group>
									<SubmitButton loading={save.isPending}>{t("form.addSave")}</SubmitButton>
								</Group>
							</Stack>
						</SubmitForm>
					)}
				</Step>
				<Step number={3} title={t("adding.signIn")} done={session !== null}>
					{session ? (
						<Text role="status">
							{t("adding.signedIn", { username: session.username, role: roleText(common, session.role) })}
						</Text>
					) : site ? (
						<Next key={site.id}>
							<SignInForm site={site} />
						</Next>
					) : (
						<Later>{t("adding.signInLater")}</Later>
					)}
				</Step>
				<Step number={4} title={t("adding.servers")}>
					{site && session ? (
						<PortalServers site={site} onDone={() => leave(site)} />
					) : (
						<Later>{t("adding.serversLater")}</Later>
					)}
				</Step>
				{site && !session ? (
					<Group ps={34}>
						<Button onClick={() => leave(site)}>{t("adding.later")}</Button>
					</Group>
				) : null}
			</Stack>
		</Page>
	);
}

function filledIn(form: SiteForm, found: NonNullable<FoundView["site"]>): SiteForm {
	return {
		...form,
		name: form.name || (found.portal?.name ?? found.servers[0]?.form.name ?? ""),
		deploymentType: found.deploymentType,
		portal: found.portal?.address ?? "",
		portalAdminUrl: found.portal?.adminUrl ?? "",
		servers: found.servers.map((server) => server.form),
	};
}

function Added({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	return (
		<Group gap="sm">
			<Text role="status">{t("adding.added", { site: site.name })}</Text>
			<Button variant="subtle" onClick={() => go({ page: "edit-site", site: site.id })}>
				{t("adding.edit")}
			</Button>
		</Group>
	);
}

/** Next step. Takes the focus, because the button that led here is gone. */
function Next({ children }: { children: ReactNode }) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (document.activeElement === document.body) ref.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
	}, []);
	return <Box ref={ref}>{children}</Box>;
}

function Later({ children }: { children: string }) {
	return <Text c="dimmed">{children}</Text>;
}

// Draft of a site that is being added.
//
// Unlike drafts in lib/drafts, which are in memory only, it survives a reload of the window after a crash of the web
// view. Therefore it contains no passwords. When the site is added, the backend has it.
const place = "site-steward.adding";

interface AddDraft {
	pasted: string;
	form: SiteForm;
	found: FoundView | null;
	alone: boolean;
	/** Whether the user enters the URLs by hand. */
	byHand: boolean;
	added: SiteId | null;
}

const emptyDraft: AddDraft = {
	pasted: "",
	form: { ...formOf(null), servers: [] },
	found: null,
	alone: false,
	byHand: false,
	added: null,
};

function loadDraft(): AddDraft {
	try {
		const kept = sessionStorage.getItem(place);
		return kept === null ? emptyDraft : { ...emptyDraft, ...(JSON.parse(kept) as AddDraft) };
	} catch {
		return emptyDraft;
	}
}

function keepDraft(draft: AddDraft | null): void {
	if (draft === null) sessionStorage.removeItem(place);
	else sessionStorage.setItem(place, JSON.stringify({ ...draft, form: withoutPasswords(draft.form) }));
}
