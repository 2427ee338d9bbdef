import { act, screen, waitFor, within } from "@testing-library/react";
import type { Backend } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { accountAt } from "@/lib/account";
import { queryKeys } from "@/lib/queries/keys";
import { fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { App } from "./app";

const location = () => screen.findByLabelText("Folder the portal can write to");

/** Fills in a form while the session is being read. The response arrives when the test releases it. */
async function askedWhoIsThere() {
	const { world } = signedInSite();
	const backend = fakeBackend({ world });
	let arrival: Promise<void> | null = null;
	let arrive = () => {};
	const slow: Backend = {
		...backend,
		session: async (site) => {
			const until = arrival;
			const answer = await backend.session(site);
			await until;
			return answer;
		},
	};
	const { user, queries } = renderWith(<App />, slow, lastAt("city"));
	await screen.findByRole("heading", { level: 1, name: "Overview" });
	const sidebar = within(screen.getByRole("navigation", { name: "Site and operations" }));
	await user.click(sidebar.getByRole("button", { name: "Portal export" }));
	await fill(user, await location(), "/srv/exports");
	arrival = new Promise((resolve) => {
		arrive = resolve;
	});
	void queries.invalidateQueries({ queryKey: queryKeys.session(cityServer) });
	await act(async () => {});
	arrival = null;
	return { user, queries, arrive: () => act(async () => arrive()) };
}

test("who was signed in, said after the sign-out, brings nobody back", async () => {
	const { user, queries, arrive } = await askedWhoIsThere();
	await user.click(screen.getByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
	await screen.findByRole("heading", { level: 1, name: "Sign in to City GIS" });

	await arrive();

	expect(queries.getQueryData(queryKeys.lastSession("city"))).toBeNull();
	expect(screen.getByRole("heading", { level: 1, name: "Sign in to City GIS" })).toBeVisible();
	expect(screen.queryByDisplayValue("/srv/exports")).toBeNull();
});

test("who was signed in, said after another user signed in, leaves the site to the other one", async () => {
	const { user, queries, arrive } = await askedWhoIsThere();
	await user.click(screen.getByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign in with another account" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Sign in to City GIS" }));
	await fill(user, await dialog.findByLabelText("User name"), "editor");
	await fill(user, dialog.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(dialog.getByRole("button", { name: "Sign in" }));
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

	await arrive();

	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(accountAt(queries, "city")).toBe("editor");
});
