import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import type { ReactNode } from "react";
import { Providers } from "@/app/providers";
import type { Backend, CertificateReason, PreferencesView, Problem, SessionView, SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { openSession } from "@/bridge/fake-backend/sessions";
import { practiceSite, withServer } from "@/bridge/fake-backend/world";
import { DroppedFilesProvider } from "@/lib/dropped-file";
import { NavigationProvider } from "@/lib/navigation";
import { usualPreferences } from "@/lib/preferences";
import { createQueryClient } from "@/lib/queries/client";

/** Renders within all providers, with the fake backend. */
export function renderWith(
	ui: ReactNode,
	options: MemoryOptions | Backend = {},
	preferences = "listSites" in options ? undefined : options.world?.preferences,
) {
	const backend = "listSites" in options ? options : fakeBackend(options);
	const queries = createQueryClient();
	const view = render(
		<Providers backend={backend} queries={queries} {...(preferences ? { preferences } : {})} env="test">
			<NavigationProvider>
				<DroppedFilesProvider>{ui}</DroppedFilesProvider>
			</NavigationProvider>
		</Providers>,
	);
	return { ...view, backend, queries, user: userEvent.setup() };
}

/** Fixture: production site with a session, for `world` and the props of a view. */
export function signedInSite(role = "administrator"): {
	site: SiteView;
	session: SessionView;
	world: NonNullable<MemoryOptions["world"]>;
} {
	const site: SiteView = {
		...practiceSite(),
		id: "city",
		name: "City GIS",
		environment: "production",
		confirmByTyping: { portalImport: "City GIS", serverImports: {}, deactivation: "City GIS" },
		color: "red",
		portal: "https://gis.example.org/portal",
		...withServer("https://gis.example.org/server"),
		username: "gisadmin",
	};
	const session = openSession(site, "gisadmin", role);
	return { site, session, world: { sites: [site], sessions: new Map([[site.id, session]]) } };
}

/** Fixture: the practice site under the name of another site. Changes need no typed confirmation. */
export function signedInPractice(): ReturnType<typeof signedInSite> {
	const { site: city, session: ofCity } = signedInSite();
	const site: SiteView = {
		...city,
		id: practiceSite().id,
		environment: "practice",
		confirmByTyping: { portalImport: "", serverImports: {}, deactivation: "" },
		portal: "https://localhost/portal",
		...withServer("https://localhost/server"),
	};
	const session = { ...ofCity, site: site.id };
	return { site, session, world: { sites: [site], sessions: new Map([[site.id, session]]) } };
}

/** Returns the problem of a site with an untrusted certificate. */
export function certificateProblem(
	site: string,
	reason: CertificateReason = { kind: "unknownIssuer" },
): Extract<Problem, { kind: "certificate" }> {
	const certificate = {
		server: "gis.example.org",
		origin: "https://gis.example.org",
		subject: "CN=gis.example.org",
		issuer: "CN=Example Authority",
		names: ["gis.example.org"],
		notBefore: "2025-01-01T00:00:00Z",
		notAfter: "2035-01-01T00:00:00Z",
		fingerprint: "AB:CD",
		chain: [],
		reason,
		also: [],
		acceptedBefore: null,
	};
	return { kind: "certificate", site, certificate };
}

/** Fills a field in one step, as by pasting, because typing is slow. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
	await user.clear(field);
	await user.click(field);
	await user.paste(text);
}

/** Presses a button as soon as it is enabled. */
export async function press(user: UserEvent, name: string): Promise<void> {
	const button = await screen.findByRole("button", { name });
	await waitFor(() => expect(button).toBeEnabled());
	await user.click(button);
}

/** Returns accessibility problems that axe finds; empty if there are none. Colors and sizes need a real browser. */
export async function axeFindings(root: Element = document.body): Promise<string[]> {
	const { violations } = await axe.run(root, {
		rules: { "color-contrast": { enabled: false }, region: { enabled: false }, "target-size": { enabled: true } },
	});
	return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html}`));
}

/** Returns preferences in which this site was open last. */
export function lastAt(site: string): PreferencesView {
	return { preferences: { ...usualPreferences, lastSite: site }, setAside: [], policy: null };
}

/** Presses Stop and confirms it. Both buttons have the same name. */
export async function confirmStop(user: UserEvent, name: string): Promise<void> {
	await press(user, name);
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));
}
