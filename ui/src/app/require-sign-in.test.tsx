import { act, screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import { operations, type Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { queryKeys } from "@/lib/queries/keys";
import { i18n } from "@/messages/i18n";
import { axeFindings, fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { App } from "./app";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const location = () => screen.findByLabelText("Folder the portal can write to");

/** Opens the window with a filled-in form of the site. */
async function filledIn() {
	const { world } = signedInSite();
	const backend = fakeBackend({ world });
	const shown = renderWith(<App />, backend, lastAt("city"));
	await heading("Overview");
	const sidebar = within(screen.getByRole("navigation", { name: "Site and operations" }));
	await shown.user.click(sidebar.getByRole("button", { name: "Portal export" }));
	await heading("Portal export");
	await fill(shown.user, await location(), "/srv/exports");
	return { ...shown, backend };
}

type Shown = Awaited<ReturnType<typeof filledIn>>;

/** Ends the session at the site, and lets the window read it. */
async function sessionEnds({ backend, queries }: Shown) {
	await backend.signOut("city");
	await queries.invalidateQueries({ queryKey: queryKeys.session(cityServer) });
}

async function signIn({ user }: Shown, username: string) {
	const dialog = within(await screen.findByRole("dialog", { name: "Sign in to City GIS" }));
	await fill(user, await dialog.findByLabelText("User name"), username);
	await fill(user, dialog.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(dialog.getByRole("button", { name: "Sign in" }));
}

/** Ends the session, and signs in over the page that was open. */
async function signInAgain(shown: Shown, username: string) {
	await sessionEnds(shown);
	const ended = within(await screen.findByRole("status", { name: "Your session at City GIS has ended" }));
	await shown.user.click(ended.getByRole("button", { name: "Sign in" }));
	await signIn(shown, username);
	await waitFor(() => expect(screen.queryByText("Your session at City GIS has ended")).toBeNull());
}

async function exported({ user }: Shown) {
	await user.click(screen.getByRole("button", { name: /export portal$/i }));
	return screen.findByText(/^Exported City GIS/);
}

test("a stored session of another host is not used, and the sign-in page says so", async () => {
	const { world } = signedInSite();
	const backend = fakeBackend({ world });
	const problem: Problem = { kind: "signIn", site: "city", server: null, elsewhere: "https://old.example.org" };
	vi.spyOn(backend, "session").mockRejectedValue(problem);
	renderWith(<App />, backend, lastAt("city"));
	await heading("Sign in to City GIS");
	const notice = await screen.findByRole("alert");
	expect(notice).toHaveTextContent("Your saved session is for https://old.example.org.");
	// The form of the page is below.
	expect(within(notice).queryByRole("button", { name: "Sign in" })).toBeNull();
	expect(await screen.findByLabelText("User name")).toBeVisible();
});

test("a session that ends by itself leaves what was typed where it is", async () => {
	const shown = await filledIn();
	await signInAgain(shown, "gisadmin");
	expect(await location()).toHaveValue("/srv/exports");
});

test("a session that ends by itself leaves the result on screen, before and after signing in again", async () => {
	const shown = await filledIn();
	const result = await exported(shown);
	await sessionEnds(shown);
	await screen.findByText("Your session at City GIS has ended");
	expect(result).toBeVisible();
	await signInAgain(shown, "gisadmin");
	expect(result).toBeVisible();
});

test("a session that ends after a long time on another page leaves the result where it was", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	const shown = await filledIn();
	await exported(shown);
	const sidebar = within(screen.getByRole("navigation", { name: "Site and operations" }));
	await shown.user.click(sidebar.getByRole("button", { name: "Settings" }));
	await heading("Settings");
	await act(() => vi.advanceTimersByTimeAsync(6 * 60_000));
	await sessionEnds(shown);
	await shown.user.click(sidebar.getByRole("button", { name: "Portal export" }));
	expect(await screen.findByText("Your session at City GIS has ended")).toBeVisible();
	await shown.user.click(screen.getByRole("button", { name: "Show" }));
	expect(screen.getByText(/^Exported City GIS/)).toBeVisible();
});

test("a site that cannot be reached shows its address and the way to correct it", async () => {
	const { world } = signedInSite();
	const fail = { session: { kind: "unreachable", stage: "connect", message: "rejected" } as const };
	const { user } = renderWith(<App />, { world, fail }, lastAt("city"));
	const problem = within(await screen.findByRole("alert", { name: "The site cannot be reached" }));
	expect(problem.getByText("https://gis.example.org/portal")).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
	await user.click(problem.getByRole("button", { name: "Edit site" }));
	await heading("Edit City GIS");
});

/** Expects the form without typed values and without a result. */
async function freshForm() {
	await waitFor(async () => expect(await location()).toHaveValue(""));
	expect(screen.queryByText(/^Exported City GIS/)).toBeNull();
	expect(screen.queryByRole("button", { name: /^Use the last values/ })).toBeNull();
}

test("another user gets a fresh page, and the first one finds everything again", async () => {
	const shown = await filledIn();
	const { user } = shown;
	await exported(shown);
	await signInAgain(shown, "editor");
	await freshForm();
	await signInAgain(shown, "gisadmin");
	expect(await screen.findByText(/^Exported City GIS/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "New export" }));
	expect(await location()).toHaveValue("/srv/exports");
});

test("a key that was typed is not there for the user who signs in after a sign-out", async () => {
	const shown = await filledIn();
	const { user } = shown;
	await user.click(screen.getByRole("radio", { name: "Blob container" }));
	await fill(user, screen.getByLabelText("Account key", { selector: "input" }), "canary");
	await user.click(screen.getByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
	await heading("Sign in to City GIS");
	await fill(user, await screen.findByLabelText("User name"), "editor");
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(screen.getByRole("button", { name: "Sign in" }));
	await freshForm();
	await user.click(screen.getByRole("radio", { name: "Blob container" }));
	expect(screen.getByLabelText("Account key", { selector: "input" })).toHaveValue("");
});

test("what a run comes to that ends after another user signed in is not shown to that user", async () => {
	const shown = await filledIn();
	const { user, backend } = shown;
	const { exportPortal } = backend;
	let end = () => {};
	const held = new Promise<void>((resolve) => (end = resolve));
	backend.exportPortal = async (...sent) => {
		await held;
		return exportPortal(...sent);
	};
	await user.click(screen.getByRole("button", { name: /export portal$/i }));
	await sessionEnds(shown);
	await signInAgain(shown, "editor");
	await freshForm();
	await act(async () => end());
	await waitFor(async () => expect(await backend.listRuns()).toMatchObject({ running: [], ended: [{}] }));
	await freshForm();
	await signInAgain(shown, "gisadmin");
	await user.click(await screen.findByRole("button", { name: "Show" }));
	expect(await screen.findByText(/^Exported City GIS/)).toBeVisible();
});

const canary = "canary";

const content = () => document.getElementById("content") as HTMLElement;

/** Expands every collapsed part of the page. */
async function unfold(user: Shown["user"]) {
	for (const fold of content().querySelectorAll("[data-accordion-control][aria-expanded=false]"))
		await user.click(fold);
}

/** Types into every text field of the page. */
async function typeEverywhere(user: Shown["user"]) {
	for (const field of content().querySelectorAll<HTMLInputElement>("input:not(:disabled, [readonly])")) {
		const isText = ["text", "email", "password", "search"].includes(field.type);
		if (isText && field.isConnected && !field.value.includes(canary)) await fill(user, field, `${canary}@x.example`);
	}
}

/** Types into every text field of the page, with each choice selected in turn. */
async function typeWhateverIsChosen(user: Shown["user"]) {
	await typeEverywhere(user);
	const choices = () => within(content()).queryAllByRole("radio");
	for (let at = 0; at < choices().length; at += 1) {
		await user.click(choices()[at] as HTMLElement);
		await typeEverywhere(user);
	}
}

test.each(operations.map(({ key }) => key))("%s: what one user typed and got is nowhere for the next", async (key) => {
	const shown = await filledIn();
	const { user, backend, queries } = shown;
	const sidebar = within(screen.getByRole("navigation", { name: "Site and operations" }));
	await user.click(sidebar.getByRole("button", { name: i18n.t(`operation.${key}.nav`) }));
	const name = i18n.t(`operation.${key}.nav`);
	await heading(name);
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	await unfold(user);
	await typeWhateverIsChosen(user);
	const tabs = within(content()).queryAllByRole("tab");
	for (const tab of tabs) {
		await user.click(tab);
		await typeWhateverIsChosen(user);
	}
	expect(content().innerHTML).toContain(canary);
	const send = content().querySelector<HTMLElement>("[type=submit]:not(:disabled)");
	if (send) await user.click(send);
	const [dialog] = screen.queryAllByRole("dialog");
	if (dialog) await user.click(within(dialog).getAllByRole("button").at(-1) as HTMLElement);
	await waitFor(async () => expect((await backend.listRuns()).running).toEqual([]));

	await signInAgain(shown, "editor");
	await heading(name);
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	await unfold(user);
	for (const tab of within(content()).queryAllByRole("tab")) {
		await user.click(tab);
		expect(content().innerHTML).not.toContain(canary);
	}
	expect(document.body.innerHTML).not.toContain(canary);
});

test("what was read of the site for one user is not shown to the next, whom the site refuses", async () => {
	const shown = await filledIn();
	const { user, backend } = shown;
	const sidebar = within(screen.getByRole("navigation", { name: "Site and operations" }));
	await user.click(sidebar.getByRole("button", { name: "Invitations" }));
	const list = await screen.findByRole("table", { name: "Invitations to collaborations" });
	expect(list).toBeVisible();
	backend.listInvitations = () => Promise.reject({ kind: "rejected", code: 403, message: "No.", details: [] });
	await signInAgain(shown, "editor");
	expect(await screen.findByText("The site rejected the request")).toBeVisible();
	expect(screen.queryByRole("table", { name: "Invitations to collaborations" })).toBeNull();
});

test("signing out closes the page", async () => {
	const { user } = await filledIn();
	await user.click(screen.getByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
	await heading("Sign in to City GIS");
	expect(screen.queryByLabelText("Folder the portal can write to")).toBeNull();
	expect(screen.queryByText("Your session at City GIS has ended")).toBeNull();
});

test("a read-only site is unlocked without signing in, so that one where nobody can sign in is no dead end", async () => {
	const { world, site } = signedInSite();
	const sites = (world.sites ?? []).map((one) =>
		one.id === site.id ? { ...one, readOnly: true, unlockedUntil: null } : one,
	);
	const backend = fakeBackend({ world: { ...world, sites } });
	await backend.signOut("city");
	const { user } = renderWith(<App />, backend, lastAt("city"));
	await heading("Sign in to City GIS");

	const unlock = within(await screen.findByRole("region", { name: "Read-only" }));
	await fill(user, unlock.getByRole("textbox"), "The portal is gone");
	await user.click(unlock.getByRole("button", { name: /^Unlock/ }));

	expect(await screen.findByText(/^Unlocked until/)).toBeVisible();
});

test("where a session has ended and a request needs one, one notice asks to sign in", async () => {
	const shown = await filledIn();
	const { user, backend } = shown;
	vi.spyOn(backend, "session").mockResolvedValue(null);
	vi.spyOn(backend, "exportPortal").mockRejectedValue({ kind: "signIn", site: "city", server: null });
	await user.click(screen.getByRole("button", { name: /export portal$/i }));
	expect(await screen.findByRole("status", { name: "Your session at City GIS has ended" })).toBeVisible();
	await waitFor(() => expect(screen.getAllByRole("button", { name: "Sign in" })).toHaveLength(1));
	expect(await location()).toHaveValue("/srv/exports");
});
