import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { Backend } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { useSignInRequest } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries/keys";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { cityServer } from "@/test/targets";
import { App, SignInRequests } from "./app";

function Ask({ site }: { site: string }) {
	const askToSignIn = useSignInRequest();
	return (
		<button type="button" onClick={() => askToSignIn(site)}>
			ask {site}
		</button>
	);
}

/** Opens the app with two sites without a session. The sign-in in the browser ends when the test releases it. */
async function waitingForBrowser() {
	const { site } = signedInSite();
	const city = { ...site, clientId: "sitesteward" };
	const harbor = { ...site, id: "harbor", name: "Harbor GIS" };
	const backend = fakeBackend({ world: { sites: [city, harbor] } });
	let comeBack = () => {};
	const returned = new Promise<void>((resolve) => {
		comeBack = resolve;
	});
	const slow: Backend = {
		...backend,
		signInInBrowser: async (id) => {
			await returned;
			return backend.signInInBrowser(id);
		},
	};
	const { user, queries } = renderWith(
		<SignInRequests>
			<Ask site="city" />
			<Ask site="harbor" />
		</SignInRequests>,
		slow,
	);
	await waitFor(() => expect(queries.getQueryData(queryKeys.sites)).toHaveLength(2));
	await user.click(screen.getByRole("button", { name: "ask city" }));
	await user.click(await screen.findByRole("tab", { name: "Browser" }));
	await user.click(screen.getByRole("button", { name: "Sign in with browser" }));
	const signedIn = () =>
		waitFor(() => expect(queries.getQueryData(queryKeys.session(cityServer))).toMatchObject({ site: "city" }));
	return { user, comeBack: () => comeBack(), signedIn };
}

test("a sign-in in the browser closes its own dialog", async () => {
	const { comeBack } = await waitingForBrowser();
	comeBack();
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test.each(["harbor", "city"])(
	"a sign-in in the browser that ends late leaves a dialog for %s open that was opened since",
	async (next) => {
		const { user, comeBack, signedIn } = await waitingForBrowser();
		await user.click(screen.getByRole("button", { name: "Close" }));
		await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
		await user.click(screen.getByRole("button", { name: `ask ${next}` }));
		await user.type(await screen.findByLabelText("Password", { selector: "input" }), "half");
		comeBack();
		await signedIn();
		expect(screen.getByRole("dialog")).toBeVisible();
		expect(screen.getByLabelText("Password", { selector: "input" })).toHaveValue("half");
	},
);

const ways: [string, (user: UserEvent) => Promise<void>, string][] = [
	[
		"the way to the client ID",
		async (user) => {
			await user.click(await screen.findByRole("tab", { name: "Browser" }));
			await user.click(screen.getByRole("button", { name: "Enter client ID" }));
		},
		"Edit City GIS",
	],
	["the help", (user) => user.keyboard("{F1}"), "Help"],
	[
		"the command palette",
		async (user) => {
			await user.keyboard("{Control>}k{/Control}");
			await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "history");
			await user.keyboard("{ArrowDown}{Enter}");
		},
		"History",
	],
];

test.each(ways)("%s leads out of the sign-in dialog, which does not hide where it leads", async (_, leave, page) => {
	const { user } = renderWith(<App />, { world: signedInSite().world }, lastAt("city"));
	await user.click(await screen.findByRole("button", { name: /gisadmin/ }));
	await user.click(await screen.findByRole("menuitem", { name: "Sign in with another account" }));
	const dialog = await screen.findByRole("dialog", { name: "Sign in to City GIS" });
	await user.type(await within(dialog).findByLabelText("User name"), "editor");
	await leave(user);
	await screen.findByRole("heading", { level: 1, name: page });
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
	// Dialogs usually return the focus shortly after they close. This one must not.
	await new Promise((done) => setTimeout(done, 30));
	expect(document.getElementById("content")).toContainElement(document.activeElement as HTMLElement);
});
