import { act, screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import { fakeBackend } from "@/bridge/fake-backend";
import { queryKeys } from "@/lib/queries";
import { axeFindings, fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const location = () => screen.findByLabelText("Folder the portal can write to");

/** The window at a form of the site that is filled in. */
async function filledIn() {
	const { world } = signedInSite();
	const backend = fakeBackend({ world });
	const shown = renderWith(<App />, backend, lastAt("city"));
	await heading("City GIS");
	const sidebar = within(screen.getByRole("navigation", { name: "Site and operations" }));
	await shown.user.click(sidebar.getByRole("button", { name: "Portal export" }));
	await heading("Portal export");
	await fill(shown.user, await location(), "/srv/exports");
	return { ...shown, backend };
}

type Shown = Awaited<ReturnType<typeof filledIn>>;

/** The site no longer knows the token, and is asked. */
async function sessionEnds({ backend, queries }: Shown) {
	await backend.signOut("city");
	await queries.invalidateQueries({ queryKey: queryKeys.session("city") });
}

async function signIn({ user }: Shown, username: string) {
	const dialog = within(await screen.findByRole("dialog", { name: "Sign in to City GIS" }));
	await fill(user, await dialog.findByLabelText("User name"), username);
	await fill(user, dialog.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(dialog.getByRole("button", { name: "Sign in" }));
}

/** After the session ended by itself, somebody signs in over the page. */
async function signInAgain(shown: Shown, username: string) {
	await sessionEnds(shown);
	const ended = within(await screen.findByRole("status", { name: "Your session at City GIS has expired" }));
	await shown.user.click(ended.getByRole("button", { name: "Sign in" }));
	await signIn(shown, username);
	await waitFor(() => expect(screen.queryByText("Your session at City GIS has expired")).toBeNull());
}

async function exported({ user }: Shown) {
	await user.click(screen.getByRole("button", { name: /export portal$/i }));
	return screen.findByText(/^Exported City GIS/);
}

test("a session that ends by itself leaves what was typed where it is", async () => {
	const shown = await filledIn();
	await signInAgain(shown, "gisadmin");
	expect(await location()).toHaveValue("/srv/exports");
});

test("a session that ends by itself leaves the result on screen, before and after signing in again", async () => {
	const shown = await filledIn();
	const result = await exported(shown);
	await sessionEnds(shown);
	await screen.findByText("Your session at City GIS has expired");
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
	expect(await screen.findByText("Your session at City GIS has expired")).toBeVisible();
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

test("another user gets a fresh page", async () => {
	const shown = await filledIn();
	const result = await exported(shown);
	await signInAgain(shown, "editor");
	expect(result).not.toBeInTheDocument();
});

test("signing out closes the page", async () => {
	const { user } = await filledIn();
	await user.click(screen.getByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
	await heading("Sign in to City GIS");
	expect(screen.queryByLabelText("Folder the portal can write to")).toBeNull();
	expect(screen.queryByText("Your session at City GIS has expired")).toBeNull();
});
