import { act, screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import type { OperationKey, SiteView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { ReadOnly } from "@/components/read-only";
import { FaultForm } from "@/features/practice/fault-form";
import { SettingsPage } from "@/features/settings/settings-page";
import { AddSitePage } from "@/features/sites/adding/add-site-page";
import { EditSitePage } from "@/features/sites/edit-site-page";
import { SignInForm } from "@/features/sites/signing-in/sign-in-form";
import { operationUis } from "@/operations";
import { fill, renderWith, signedInSite } from "./render";

const { session, site: production } = signedInSite();
/** Nothing is typed to confirm there: what a form needs is chosen. */
const site: SiteView = { ...production, id: "practice", environment: "practice" };

const differences = [
	{ kind: "serviceDisappears", name: "Parcels.MapServer", onSite: "STARTED", inExport: "" } as const,
];
const comparison = { exportTakenAt: Date.now(), differences, notCompared: [] };

const world: MemoryOptions["world"] = {
	sites: [site, production],
	sessions: new Map([site, production].map(({ id }) => [id, { ...session, site: id }])),
	comparisons: new Map([["i1f3a9c04", comparison]]),
};

const operation = (key: OperationKey, on = site) => {
	const { View } = operationUis[key];
	return <View site={on} session={session} />;
};

type Ready = (user: UserEvent) => Promise<void>;

const press =
	(role: string, name: string | RegExp): Ready =>
	async (user) =>
		user.click(await screen.findByRole(role, { name, hidden: true }));

const inTurn =
	(...steps: Ready[]): Ready =>
	async (user) => {
		for (const step of steps) await step(user);
	};

const type =
	(label: string | RegExp, text: string): Ready =>
	async (user) =>
		fill(user, await screen.findByLabelText(label, { selector: "input" }), text);

/** Every form of the window, and what makes its button ready to be pressed. */
const forms: [string, ReactElement, Ready][] = [
	["export_portal", operation("export_portal"), press("radio", "Blob container")],
	["export_server", operation("export_server"), press("radio", "Folder on the server")],
	[
		"import_server",
		operation("import_server"),
		inTurn(press("combobox", "Uploaded file"), press("option", /Nov-13/), press("searchbox", "Search names")),
	],
	[
		"import_server by its path",
		operation("import_server", production),
		inTurn(press("radio", "Path on the server"), type(/^Path of/, "/a"), type(/^Enter “City/, "City GIS")),
	],
	[
		"deactivate_webhooks",
		operation("deactivate_webhooks"),
		inTurn(press("checkbox", "Water/Mains.FeatureServer"), press("button", /^Deactivate webhooks of 1/)),
	],
	["find_items", operation("find_items"), type("Item identifier", "a")],
	["update_participant", operation("update_participant"), inTurn(press("radio", /County/), type("First name", "Kim"))],
	["update_participant by identifier", operation("update_participant"), press("tab", "By ID")],
	["refresh_invitation by identifier", operation("refresh_invitation"), press("tab", "By ID")],
	["the unlock", <ReadOnly key="" site={{ ...site, readOnly: true, unlockedUntil: null }} />, async () => {}],
	[
		"a new site",
		<AddSitePage key="" />,
		inTurn(press("button", "Proxy and certificates"), press("radio", "Use this proxy")),
	],
	["a site", <EditSitePage key="" site={site} />, press("radio", "Use this proxy")],
	["a password", <SignInForm key="" site={site} />, async () => {}],
	["a token", <SignInForm key="" site={site} />, press("tab", "Token")],
	["a simulated fault", <FaultForm key="" />, async () => {}],
	["the connection", <SettingsPage key="" site={null} />, press("radio", "Use this proxy")],
];

/** Text that a form sends: what its values are made of, and nothing that is only looked through. */
const sentText = "[data-path]:is([type=text], [type=email], [type=password], [type=url], :not([type])):not([readonly])";

const isButton = (control: HTMLElement) => control.matches("button[type=submit]");

test.each(forms)(
	"%s: its button submits it, and Enter in a text that it sends, and nothing else",
	async (_, view, ready) => {
		const { user } = renderWith(view, { world });
		await ready(user);
		const submitted: EventTarget[] = [];
		const stop = (event: Event) => {
			event.preventDefault();
			event.stopImmediatePropagation();
		};
		// Nothing is sent, and no other button does what it is for: each is one that does not submit.
		const note = (event: Event) => {
			stop(event);
			submitted.push(event.target as EventTarget);
		};
		const press = (event: Event) => {
			if (!(event.target as Element).closest("button[type=submit]")) stop(event);
		};
		window.addEventListener("submit", note, true);
		window.addEventListener("click", press, true);
		try {
			const found: string[] = [];
			const meant: string[] = [];
			const controls = [...document.querySelectorAll<HTMLElement>("form :is(input, button, select, textarea)")];
			// Escape at the end: it closes a dialog.
			for (const key of ["Enter", " ", "Escape"]) {
				for (const control of controls) {
					const name = `${key} on ${control.outerHTML}`;
					if (isButton(control) ? key !== "Escape" : key === "Enter" && control.matches(sentText)) meant.push(name);
					act(() => control.focus());
					if (document.activeElement !== control) continue;
					await user.keyboard(key === " " ? key : `{${key}}`);
					if (submitted.splice(0).length > 0) found.push(name);
				}
			}
			expect(found).toEqual(meant);
			expect(found).not.toEqual([]);
		} finally {
			window.removeEventListener("submit", note, true);
			window.removeEventListener("click", press, true);
		}
	},
);

const sources = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx"], {
	query: "?raw",
	eager: true,
	import: "default",
});

test("every form of the window is one of these", () => {
	const bare = Object.entries(sources).filter(([, source]) => /<form\b|="form"/.test(source));
	expect(bare.map(([file]) => file)).toEqual(["../components/submit-form.tsx"]);
});
