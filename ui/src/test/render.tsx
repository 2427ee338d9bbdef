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

/** Renders within all providers, on a world in memory. */
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

/** An ordinary production site and somebody signed in there, for `world` and for the props of a View. */
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

/** The practice site, which answers, under the name of an ordinary one: nothing is typed to confirm a change. */
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

/** What is said of the site when nobody trusts its certificate. */
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

/** Fills a field at once, as by pasting: what matters is not each key. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
	await user.clear(field);
	await user.click(field);
	await user.paste(text);
}

/** Presses a button once it can be pressed. */
export async function press(user: UserEvent, name: string): Promise<void> {
	const button = await screen.findByRole("button", { name });
	await waitFor(() => expect(button).toBeEnabled());
	await user.click(button);
}

/** What axe finds wrong, as readable lines; empty when all is well. Colours and sizes need a real browser. */
export async function axeFindings(root: Element = document.body): Promise<string[]> {
	const { violations } = await axe.run(root, {
		rules: { "color-contrast": { enabled: false }, region: { enabled: false }, "target-size": { enabled: true } },
	});
	return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html}`));
}

/** Preferences of somebody who was at this site last. */
export function lastAt(site: string): PreferencesView {
	return { preferences: { ...usualPreferences, lastSite: site }, setAside: [], policy: null };
}

/** Presses a Stop and confirms it: button and confirmation have one name. */
export async function confirmStop(user: UserEvent, name: string): Promise<void> {
	await press(user, name);
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));
}
