import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { type ReactElement, type ReactNode, useState } from "react";
import { SignInRequests } from "@/app/app";
import { CalledSide } from "@/app/called-side";
import { CloseDialog } from "@/app/close-dialog";
import { Shortcuts } from "@/app/shortcuts";
import type { Backend, ChannelView, OperationKey, RunView, SiteView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import type { Happenings } from "@/bridge/fake-backend/window";
import { importAddresses } from "@/bridge/fake-backend/world";
import { LookInto } from "@/components/look-into";
import { ReadOnly } from "@/components/read-only";
import { StopDialog } from "@/components/stop-dialog";
import { ChangesPage } from "@/features/changes/changes-page";
import { AuditTrail } from "@/features/history/audit-trail";
import { Reason } from "@/features/history/facts";
import { noFilters, searchFor } from "@/features/history/history-filters";
import { DeletePlan } from "@/features/plans/delete-plan";
import { EditPlanPage } from "@/features/plans/editor/edit-plan-page";
import { SetSearch } from "@/features/plans/plan-sets";
import { StopPlan } from "@/features/plans/plans-page";
import { RehearsalPage } from "@/features/plans/rehearsal/rehearsal-page";
import { RehearseButton } from "@/features/plans/sets/backup-set-page";
import { Tell } from "@/features/plans/tell/tell";
import { FaultForm } from "@/features/practice/fault-form";
import { ResetPractice } from "@/features/practice/practice-page";
import { About, Updates } from "@/features/settings/about";
import { Forwarding } from "@/features/settings/forwarding";
import { SettingsPage } from "@/features/settings/settings-page";
import { AddSitePage } from "@/features/sites/adding/add-site-page";
import { EditSitePage } from "@/features/sites/edit-site-page";
import { ImportProfiles } from "@/features/sites/profiles/import-profiles";
import { SignInForm } from "@/features/sites/signing-in/sign-in-form";
import { RemoveSite } from "@/features/sites/sites-page";
import { type Place, useSignInRequest } from "@/lib/navigation";
import { serverOf, targetOf } from "@/lib/target";
import { operationUis } from "@/operations";
import { ItemDetails } from "@/operations/find-items/item-details";
import { ColumnMenu } from "@/operations/find-items/report";
import { usualColumns } from "@/operations/find-items/values";
import { UndoPortalImport } from "@/operations/import-portal/undo";
import { UndoImport } from "@/operations/import-server/undo-import";
import { betweenWorld, changedWorld } from "./changes";
import { deactivated, servicesWithActive } from "./deactivation";
import { planOf, setOf } from "./plans";
import { fill, signedInPractice, signedInSite } from "./render";

const { site: signedIn, ...signedInThere } = signedInSite();
export const { session } = signedInThere;
/** Fixture: production site, where the user confirms a change by typing the name. Its servers have the same host. */
export const production = withServersBehindOneHost(signedIn);
/** Fixture: practice site, whose dialogs do not ask for a name to confirm. */
export const site = withServersBehindOneHost(signedInPractice().site);

/** Returns the site with three servers on one host, named as the app names them. */
function withServersBehindOneHost(site: SiteView): SiteView {
	const host = new URL(site.server ?? "").host;
	const servers = site.servers.flatMap((server) =>
		[
			{ id: "server", path: "server", role: "FEDERATED_SERVER" },
			{ id: "second", path: "image", role: "" },
			{ id: "third", path: "geo", role: "HOSTING_SERVER" },
		].map(({ id, path, role }) => ({
			...server,
			id,
			role,
			name: `${host}/${path}`,
			address: `https://${host}/${path}`,
		})),
	);
	const serverImports = site.confirmByTyping.portalImport
		? Object.fromEntries(servers.map(({ id, name }) => [id, name]))
		: {};
	return {
		...site,
		servers,
		importAddresses: importAddresses(servers),
		confirmByTyping: { ...site.confirmByTyping, serverImports },
	};
}

const differences = [
	{ kind: "services", name: "Parcels.MapServer", change: "missing", onSite: "STARTED", inExport: "" } as const,
];
const comparison = { exportTakenAt: Date.now(), differences, notCompared: [] };
const profile = {
	name: "Harbour",
	environment: "production" as const,
	color: "blue" as const,
	deploymentType: "enterprise" as const,
	portal: "https://harbour.example.org/portal",
	portalAdminUrl: "",
	servers: [],
	route: { kind: "system" as const },
	hadAuthority: false,
	hadClientCertificate: false,
	clientId: "",
	readOnly: false,
	plans: [],
};
const release = { version: "9.0.0", date: 0, notes: "" };
const run: RunView = {
	id: "run",
	site: production.id,
	siteName: production.name,
	server: null,
	serverName: null,
	operation: "export_portal",
	act: null,
	isUndo: false,
	startedAt: 0,
	step: { kind: "waiting" } as RunView["step"],
	sent: true,
	usual: null,
};

/** Returns two sites with sessions, and the data that the dialogs of the window need. */
export function usualWorld() {
	const world = {
		...seed(),
		sites: [{ ...site }, { ...production }],
		sessions: new Map([site, production].map(({ id }) => [id, { ...session, site: id }])),
		comparisons: new Map([["i1f3a9c04", comparison]]),
		profileFile: {
			kind: "read" as const,
			path: "/home/sam/profiles.json",
			profiles: [{ profile, addresses: [], problem: null, samePlace: null }],
			damaged: [],
		},
		newest: { release, way: "here" as const },
		history: [],
	} satisfies MemoryOptions["world"];
	const imported = note(world, production, "import_server", { hasSafetyBackup: true });
	return { world, imported };
}

const { imported } = usualWorld();

/** Test environment that a form or dialog receives. */
export interface Stage {
	user: UserEvent;
	happen: Happenings;
}

type Ready = (stage: Stage) => Promise<unknown>;

export interface Case {
	name: string;
	/** Source files of the form or dialog. */
	files: readonly string[];
	view: ReactElement;
	/** Place of the operation that the form belongs to. */
	place?: Extract<Place, { page: "operation" }>;
	/** Fills in the form, so that its button can be pressed. */
	ready?: Ready;
	/** Opens the dialog. Forms have none. */
	open?: Ready;
	/** The only button that changes something, and its command. Other buttons have cases of their own. */
	changes?: readonly [button: string | RegExp, command: keyof Backend];
	irreversible?: boolean;
	world?: MemoryOptions["world"];
}

const press =
	(role: string, name: string | RegExp): Ready =>
	async ({ user }) =>
		user.click(await screen.findByRole(role, { name, hidden: true }));

const inTurn =
	(...steps: Ready[]): Ready =>
	async (stage) => {
		for (const step of steps) await step(stage);
	};

const type =
	(label: string | RegExp, text: string): Ready =>
	async ({ user }) =>
		fill(user, await screen.findByLabelText(label, { selector: "input" }), text);

/** Waits until a button is enabled, when all data of the form has been read. */
const enabled =
	(name: string | RegExp): Ready =>
	async () =>
		waitFor(() => expect(screen.getByRole("button", { name })).toBeEnabled());

const operation = (key: OperationKey, on = site): Pick<Case, "view" | "place"> => {
	const { View } = operationUis[key];
	return { view: <View site={on} session={session} />, place: { page: "operation", ...targetOf(key, on), key } };
};

/** Dialog that its page opens. */
function Opened({ children }: { children: (opened: boolean, close: () => void) => ReactNode }) {
	const [opened, setOpened] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setOpened(true)}>
				Open
			</button>
			{children(opened, () => setOpened(false))}
		</>
	);
}

const open = press("button", "Open");

function AskToSignIn() {
	const ask = useSignInRequest();
	return (
		<button type="button" onClick={() => ask(production.id)}>
			Open
		</button>
	);
}

const ofOperations = "../operations";
const ofSites = "../features/sites";
const entries = [
	deactivated({ id: "d1", active: ["mains-leaks"] }),
	deactivated({ id: "d2", service: "Parcels/Splits.GPServer", active: ["split-finished"] }),
];

const afterDeactivation = {
	deactivations: entries.map((entry) => ({ ...entry, site: production.id })),
	services: servicesWithActive(),
};

const testSite: SiteView = { ...production, id: "harbour", name: "Harbour Test", environment: "test", readOnly: false };
const rehearsedPlan = planOf(production);
const rehearsing = {
	sites: [production, testSite],
	plans: [rehearsedPlan],
	planSets: new Map([["nightly", [setOf(rehearsedPlan, 1)]]]),
};
const begunRehearsal = {
	id: "1",
	plan: "nightly",
	set: "set-1",
	site: testSite.id,
	at: Date.now(),
	servers: [],
	skipped: [],
};

const tell = <Tell value={[]} onChange={() => undefined} />;
const channel: ChannelView = {
	channel: {
		id: "1",
		name: "On call",
		means: { kind: "teams", origin: "https://teams.example.org" },
		tellsAllWell: false,
	},
	isAllowed: true,
	last: null,
};

const byIdentifier = inTurn(
	press("tab", "By ID"),
	type("Collaboration ID", "c"),
	type("Participant ID", "p"),
	type("First name", "Kim"),
	type("Last name", "Ito"),
	type(/mail/, "kim@example.org"),
);

export const forms: readonly Case[] = [
	{
		name: "export_portal",
		files: [`${ofOperations}/export-portal/form.tsx`],
		...operation("export_portal"),
		ready: press("radio", "Blob container"),
	},
	{
		name: "export_server",
		files: [`${ofOperations}/export-server/form.tsx`],
		...operation("export_server"),
		ready: press("radio", "Folder on the server"),
	},
	{
		name: "import_server",
		files: [`${ofOperations}/import-server/form.tsx`],
		...operation("import_server"),
		ready: inTurn(press("combobox", "Uploaded file"), press("option", /Nov-13/), press("searchbox", "Search changes")),
	},
	{
		name: "import_server by its path",
		files: [`${ofOperations}/import-server/form.tsx`],
		...operation("import_server", production),
		ready: inTurn(
			press("radio", "Path on the server"),
			type(/^Path of/, "/a"),
			type(/^Enter “gis/, "gis.example.org/server"),
			enabled(/^Replace/),
		),
	},
	{
		name: "import_portal",
		files: [`${ofOperations}/import-portal/form.tsx`],
		...operation("import_portal", production),
		ready: inTurn(
			type("Path of the file", "/a.portalsite"),
			async () => screen.findByLabelText(/^Version of the portal/),
			type(/^Version of the portal/, "11.5"),
			type("Folder of the safety backup", "/b"),
			type(/^Enter “City/, "City GIS"),
			enabled(/^Replace the portal/),
		),
	},
	{
		name: "find_items",
		files: [`${ofOperations}/find-items/filters.tsx`],
		...operation("find_items"),
		ready: inTurn(press("button", "Filters"), type("Item identifier", "a")),
	},
	{
		name: "update_participant",
		files: [`${ofOperations}/update-participant/contact-form.tsx`],
		...operation("update_participant"),
		ready: inTurn(press("radio", /County/), type("First name", "Kim")),
	},
	{
		name: "update_participant by identifier",
		files: [`${ofOperations}/update-participant/form.tsx`],
		...operation("update_participant"),
		ready: press("tab", "By ID"),
	},
	{
		name: "refresh_invitation by identifier",
		files: [`${ofOperations}/refresh-invitation/form.tsx`],
		...operation("refresh_invitation"),
		ready: press("tab", "By ID"),
	},
	{
		name: "the unlock",
		files: ["../components/read-only.tsx"],
		view: <ReadOnly site={{ ...site, readOnly: true, unlockedUntil: null }} />,
	},
	{
		name: "a new site",
		files: [`${ofSites}/adding/add-site-page.tsx`, `${ofSites}/adding/address-step.tsx`],
		view: <AddSitePage />,
		ready: inTurn(press("button", "Proxy and certificates"), press("radio", "Use this proxy")),
	},
	{
		name: "a site",
		files: [`${ofSites}/edit-site-page.tsx`],
		view: <EditSitePage site={site} />,
		ready: press("radio", "Use this proxy"),
	},
	{
		name: "a password",
		files: [`${ofSites}/signing-in/sign-in-form.tsx`],
		view: <SignInForm site={site} />,
	},
	{
		name: "a token",
		files: [`${ofSites}/signing-in/browser-sign-in.tsx`],
		view: <SignInForm site={site} />,
		ready: press("tab", "Token"),
	},
	{ name: "a simulated fault", files: ["../features/practice/fault-form.tsx"], view: <FaultForm /> },
	{
		name: "the connection",
		files: ["../features/settings/connection.tsx"],
		view: <SettingsPage site={null} />,
		ready: press("radio", "Use this proxy"),
	},
	{
		name: "the log server",
		files: ["../features/settings/forwarding.tsx"],
		view: <Forwarding />,
		ready: press("switch", "Forward the audit trail to a log server"),
	},
	{
		name: "a backup plan",
		files: ["../features/plans/editor/edit-plan-page.tsx"],
		view: <EditPlanPage site={site} plan={null} />,
		ready: type("Name", "Nightly"),
	},
	{
		name: "the acceptance of a change",
		files: ["../features/changes/difference-details.tsx"],
		view: <ChangesPage site={production} />,
		ready: inTurn(
			press("button", "Details of Parcels/Zoning.MapServer"),
			type("Reason to accept Parcels/Zoning.MapServer", "CHG-1"),
		),
		world: changedWorld(production.id),
	},
	{
		name: "a substitution",
		files: ["../features/changes/comparison.tsx"],
		view: <ChangesPage site={production} />,
		ready: inTurn(press("radio", "Between"), type("On Harbour Test", "gis_test2")),
		world: betweenWorld(production.id),
	},
	{
		name: "a search in all backup sets",
		files: ["../features/plans/plan-sets.tsx"],
		view: <SetSearch site={site} title={null} act={null} />,
		ready: type("Name of a service or data store item", "Zoning"),
	},
];

export const dialogs: readonly Case[] = [
	{
		name: "the deactivation of webhooks",
		files: [`${ofOperations}/deactivate-webhooks/send.tsx`],
		...operation("deactivate_webhooks", production),
		ready: press("checkbox", "Water/Mains.FeatureServer"),
		open: press("button", /^Deactivate webhooks of 1/),
		changes: ["Deactivate webhook", "deactivateWebhooks"],
	},
	{
		name: "the deactivation of one webhook",
		files: [`${ofOperations}/deactivate-webhooks/webhook-rows.tsx`],
		...operation("deactivate_webhooks", production),
		ready: press("button", "2 active webhooks: Hosted/Hydrants.FeatureServer"),
		open: press("switch", "hydrant-inspections"),
		changes: ["Deactivate webhook", "deactivateWebhook"],
	},
	{
		name: "the reactivation of webhooks",
		files: [`${ofOperations}/deactivate-webhooks/use-reactivation.tsx`],
		...operation("deactivate_webhooks", production),
		open: press("button", /^Reactivate 1 webhook of Water/),
		changes: ["Reactivate 1 webhook", "reactivateWebhooks"],
		world: afterDeactivation,
	},
	{
		name: "the reactivation of all webhooks",
		files: [`${ofOperations}/deactivate-webhooks/use-reactivation.tsx`],
		...operation("deactivate_webhooks", production),
		open: press("button", /^Reactivate \d+ webhooks$/),
		changes: ["Reactivate 2 webhooks", "reactivateAllWebhooks"],
		world: afterDeactivation,
	},
	{
		name: "a reminder",
		files: [`${ofOperations}/deactivate-webhooks/pick-time.tsx`],
		...operation("deactivate_webhooks", production),
		ready: press("button", /^Deactivation log/),
		open: inTurn(press("button", "Remind me of Water/Mains.FeatureServer"), press("menuitem", "At another time…")),
		changes: ["Set reminder", "remindMe"],
		world: afterDeactivation,
	},
	{
		name: "a channel for alerts",
		files: ["../features/plans/tell/channel-dialog.tsx"],
		view: tell,
		open: inTurn(
			press("button", "Add a channel"),
			type("Name", "Own program"),
			type("Address of the webhook", "https://hooks.example.org/x"),
		),
		changes: ["Save channel", "saveAlertChannel"],
	},
	{
		name: "the deletion of a channel for alerts",
		files: ["../features/plans/tell/tell.tsx"],
		view: tell,
		open: press("button", "Delete On call"),
		changes: ["Delete channel", "deleteAlertChannel"],
		irreversible: true,
		world: { alerts: { ...seed().alerts, channels: [channel] } },
	},
	{
		name: "the test site of a rehearsal",
		files: ["../features/plans/sets/backup-set-page.tsx"],
		view: <RehearseButton site={production} plan={rehearsedPlan.plan} set="set-1" />,
		open: press("button", "Rehearse…"),
		world: rehearsing,
	},
	{
		name: "the end of a rehearsal",
		files: ["../features/plans/rehearsal/rehearsal-page.tsx"],
		view: <RehearsalPage site={testSite} plan="nightly" set="set-1" />,
		open: press("button", "End rehearsal…"),
		changes: ["End rehearsal", "endRehearsal"],
		world: { ...rehearsing, rehearsals: [begunRehearsal] },
	},
	{
		name: "an entry that is resolved",
		files: [`${ofOperations}/deactivate-webhooks/deactivation-log.tsx`],
		...operation("deactivate_webhooks", production),
		ready: press("button", /^Deactivation log/),
		open: press("button", "Mark as resolved: Water/Mains.FeatureServer"),
		changes: ["Mark as resolved", "resolveDeactivation"],
		world: afterDeactivation,
	},
	{
		name: "a contact",
		files: [`${ofOperations}/update-participant/contact-form.tsx`],
		...operation("update_participant"),
		ready: inTurn(press("radio", /County/), type("First name", "Kim")),
		open: press("button", /^Update contact/),
		changes: [/^Update contact/, "updateParticipant"],
	},
	{
		name: "a contact by its identifiers",
		files: [`${ofOperations}/update-participant/form.tsx`],
		...operation("update_participant"),
		ready: byIdentifier,
		open: press("button", /^Update contact/),
		changes: [/^Update contact/, "updateParticipant"],
	},
	{
		name: "the contacts of a file",
		files: [`${ofOperations}/update-participant/contacts-file.tsx`],
		...operation("update_participant"),
		ready: inTurn(press("tab", "Contacts file (CSV)"), press("button", "Choose a contacts file")),
		open: press("button", "Update 2 contacts"),
		changes: ["Update 2 contacts", "updateParticipants"],
	},
	{
		name: "the rest of the contacts of a file",
		files: [`${ofOperations}/update-participant/report.tsx`],
		...operation("update_participant"),
		ready: inTurn(
			press("tab", "Contacts file (CSV)"),
			press("button", "Choose a contacts file"),
			press("button", "Update 2 contacts"),
			async ({ user }) => {
				const dialog = await screen.findByRole("dialog");
				await user.click(dialog.querySelector("[type=submit]") as HTMLElement);
			},
		),
		open: press("button", "Update the other contact"),
		changes: ["Update 1 contact", "updateParticipants"],
		world: { severalEnds: [null, { kind: "notSent" }] },
	},
	{
		name: "an invitation",
		files: [`${ofOperations}/refresh-invitation/confirm.tsx`],
		...operation("refresh_invitation"),
		ready: async ({ user }) => {
			const [first] = await screen.findAllByRole("checkbox", { name: / to / });
			await user.click(first as HTMLElement);
		},
		open: press("button", "Refresh invitation"),
		changes: ["Refresh for 72 hours", "refreshInvitation"],
	},
	{
		name: "an invitation that is not saved",
		files: [`${ofOperations}/refresh-invitation/unsaved-invitations.tsx`],
		...operation("refresh_invitation"),
		open: press("button", "Discard museum.invite"),
		changes: ["Discard the file", "discardUnsavedInvitation"],
		irreversible: true,
		world: {
			keptInvitations: [
				{ site: site.id, kept: "museum", fileName: "museum.invite", refreshedAt: Date.now(), expired: false },
			],
		},
	},
	{
		name: "the deletion of a stored file",
		files: [`${ofOperations}/import-server/file-choice.tsx`],
		...operation("import_server", production),
		ready: inTurn(press("combobox", "Uploaded file"), press("option", /Nov-13/)),
		open: press("button", "Delete the selected file from the server"),
		changes: ["Delete file", "deleteUpload"],
		irreversible: true,
	},
	{
		name: "the undo of an import",
		files: ["../components/undo.tsx"],
		view: <UndoImport site={production} target={production.name} record={imported.id} />,
		open: press("button", "Undo this import"),
		changes: ["Undo the import", "undoImport"],
		irreversible: true,
	},
	{
		name: "the entries of an export file",
		files: ["../components/look-into.tsx"],
		view: <LookInto target={serverOf(production)} file={{ kind: "choose" }} />,
		open: press("button", /^Look into a file/),
	},
	{
		name: "the undo of a portal import",
		files: ["../components/undo.tsx"],
		view: (
			<UndoPortalImport
				site={production}
				record={imported.id}
				safetyBackup={{ location: "/b/a.portalsite", warnings: [], record: null, writtenAt: 0 }}
			/>
		),
		open: press("button", "Undo this import"),
		changes: ["Undo the import", "undoPortalImport"],
		irreversible: true,
	},
	{
		name: "the reason of an entry",
		files: ["../features/history/facts.tsx"],
		view: <Reason records={[imported.id]} reason="" />,
		open: press("button", "Add reason…"),
		changes: ["Save reason", "setReason"],
	},
	{
		name: "the stop of a backup plan",
		files: ["../features/plans/plans-page.tsx"],
		view: (
			<Opened>{(opened, close) => <StopPlan plan={opened ? planOf(production).plan : null} onClose={close} />}</Opened>
		),
		open,
		changes: ["Stop the run", "stopPlanRun"],
		irreversible: true,
	},
	{
		name: "the deletion of a backup plan",
		files: ["../features/plans/delete-plan.tsx"],
		view: (
			<Opened>
				{(opened, close) => <DeletePlan plan={opened ? planOf(production).plan : null} onClose={close} />}
			</Opened>
		),
		open,
		changes: ["Delete plan", "deletePlan"],
		irreversible: true,
	},
	{
		name: "the removal of a site",
		files: [`${ofSites}/sites-page.tsx`],
		view: <Opened>{(opened, close) => <RemoveSite site={opened ? production : null} onClose={close} />}</Opened>,
		open,
		changes: ["Remove site", "removeSite"],
		irreversible: true,
	},
	{
		name: "the reset of the practice site",
		files: ["../features/practice/practice-page.tsx"],
		view: <ResetPractice />,
		open: async ({ user }) =>
			user.click((await screen.findAllByRole("button", { name: "Reset practice site" }))[0] as HTMLElement),
		changes: ["Reset practice site", "resetPractice"],
		irreversible: true,
	},
	{
		name: "the stop of a run",
		files: ["../components/stop-dialog.tsx"],
		view: <Opened>{(opened, close) => <StopDialog run={opened ? run : null} onClose={close} />}</Opened>,
		open,
		changes: ["Stop waiting", "stopRun"],
		irreversible: true,
	},
	{
		name: "the closing of the window",
		files: ["../app/close-dialog.tsx"],
		view: <CloseDialog />,
		open: async ({ happen }) => happen.closeRequested(1),
		changes: ["Close anyway", "answerClose"],
		irreversible: true,
	},
	{
		name: "an update of the program",
		files: ["../features/settings/about.tsx"],
		view: <Updates />,
		ready: press("button", "Check for updates"),
		open: press("button", "Download and install…"),
		changes: ["Install version", "installUpdate"],
	},
	{
		name: "profiles of a file",
		files: [`${ofSites}/profiles/import-profiles.tsx`, `${ofSites}/profiles/profile-table.tsx`],
		view: <Opened>{(opened, close) => (opened ? <ImportProfiles opened onClose={close} /> : null)}</Opened>,
		open: inTurn(open, press("button", "Choose file")),
		changes: ["Add 1 site", "addProfile"],
	},
	{
		name: "a sign-in over the page",
		files: ["../app/app.tsx"],
		view: (
			<SignInRequests>
				<AskToSignIn />
			</SignInRequests>
		),
		open: inTurn(open, async () => screen.findByLabelText("User name")),
	},
	{
		name: "the shortcuts",
		files: ["../app/shortcuts.tsx"],
		view: <Opened>{(opened, close) => <Shortcuts commands={[]} opened={opened} onClose={close} />}</Opened>,
		open,
	},
	{
		name: "the events of the audit trail",
		files: ["../features/history/audit-trail.tsx"],
		view: <AuditTrail search={searchFor(noFilters)} />,
		open: inTurn(press("button", "More commands for the audit trail"), press("menuitem", "Show events")),
	},
	{
		name: "the licenses",
		files: ["../features/settings/about.tsx"],
		view: <About />,
		open: inTurn(press("button", "Show licenses"), async () => screen.findByText(/Apache License/)),
	},
	{
		name: "the sidebar of a narrow window",
		files: ["../app/called-side.tsx"],
		view: (
			<Opened>
				{(opened, close) => (
					<CalledSide called={opened} onCall={close}>
						{null}
					</CalledSide>
				)}
			</Opened>
		),
		open,
	},
	{
		name: "a data item",
		files: [`${ofOperations}/find-items/item-details.tsx`],
		view: (
			<Opened>
				{(opened, close) => (
					<ItemDetails
						target={serverOf(production)}
						search="search"
						row={opened ? ({ item: 0, location: [] } as never) : null}
						onClose={close}
					/>
				)}
			</Opened>
		),
		open,
	},
	{
		name: "the columns of a table",
		files: [`${ofOperations}/find-items/report.tsx`],
		view: <ColumnMenu choice={usualColumns} onChoice={() => {}} />,
		open: press("button", "Columns"),
	},
];
