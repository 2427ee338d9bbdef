import { act, screen, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import type { CertificateProblem, Problem, SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { NavigationProvider } from "@/lib/navigation";
import { serverOf } from "@/lib/target";
import { held, Leaving } from "@/test/leaving";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { SignInForm } from "./sign-in-form";

const certificate: CertificateProblem = {
	server: "gis.example.org",
	origin: "https://gis.example.org",
	subject: "CN=gis.example.org",
	issuer: "CN=City CA",
	names: ["gis.example.org"],
	notBefore: "2026-01-01T00:00:00Z",
	notAfter: "2027-01-01T00:00:00Z",
	fingerprint: "AB:CD",
	chain: [],
	reason: { kind: "unknownIssuer" },
	also: [],
	acceptedBefore: null,
};

test("a refused certificate is described, and trusting it is for its address and goes on with what was typed", async () => {
	const { site } = signedInSite();
	const problem: Problem = { kind: "certificate", site: site.id, certificate };
	const fail: { signIn?: Problem } = { signIn: problem };
	const backend = fakeBackend({ world: { sites: [site] }, fail });
	const { user } = renderWith(<SignInForm site={site} />, backend);
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(screen.getByRole("button", { name: "Sign in" }));

	expect(await screen.findByText(/issued by an authority that this computer does not trust/)).toBeVisible();
	expect(screen.getByText("AB:CD")).toBeVisible();
	expect(screen.getByText(/is trusted at https:\/\/gis.example.org/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	delete fail.signIn;
	await user.click(screen.getByRole("button", { name: "Trust this certificate" }));

	await waitFor(async () => expect(await backend.session(serverOf(site))).not.toBeNull());
	const [saved] = await backend.listSites();
	expect(saved?.connection.trustedCertificates).toEqual([{ origin: "https://gis.example.org", fingerprint: "AB:CD" }]);
});

test("a certificate that is trusted after the form was left signs no user in", async () => {
	const { site } = signedInSite();
	const fail: { signIn?: Problem } = { signIn: { kind: "certificate", site: site.id, certificate } };
	const backend = fakeBackend({ world: { sites: [site] }, fail });
	const trust = held(backend.trustCertificate);
	backend.trustCertificate = trust.command;
	const { user, queries } = renderWith(
		<Leaving>
			<SignInForm site={site} />
		</Leaving>,
		backend,
	);
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(screen.getByRole("button", { name: "Sign in" }));
	await user.click(await screen.findByRole("button", { name: "Trust this certificate" }));
	await user.click(screen.getByRole("button", { name: "Leave" }));
	delete fail.signIn;
	const signIn = vi.spyOn(backend, "signIn");
	trust.release();
	await waitFor(() => expect(queries.isMutating()).toBe(0));
	await act(async () => {});
	expect((await backend.listSites())[0]?.connection.trustedCertificates).toHaveLength(1);
	expect(signIn).not.toHaveBeenCalled();
});

test("a withdrawn certificate cannot be trusted", async () => {
	const { site } = signedInSite();
	const revoked: Problem = {
		kind: "certificate",
		site: site.id,
		certificate: { ...certificate, reason: { kind: "revoked" } },
	};
	const { user } = renderWith(<SignInForm site={site} />, { world: { sites: [site] }, fail: { signIn: revoked } });
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.click(screen.getByRole("button", { name: "Sign in" }));

	expect(await screen.findByText(/revoked the certificate/)).toBeVisible();
	expect(screen.queryByRole("button", { name: "Trust this certificate" })).toBeNull();
});

async function way(name: string, site: SiteView, options: MemoryOptions = {}) {
	const done = vi.fn();
	const view = renderWith(
		<NavigationProvider>
			<SignInForm site={site} onDone={done} />
		</NavigationProvider>,
		{ ...options, world: { sites: [site] } },
	);
	await view.user.click(screen.getByRole("tab", { name }));
	return { ...view, done };
}

test("the browser is offered where the portal knows this program", async () => {
	const { site } = signedInSite();
	const { user, done } = await way("Browser", { ...site, clientId: "sitesteward" });
	// The user types credentials into the page of the portal, so the app does not receive them.
	expect(screen.queryByText(/^Your credentials are sent to/)).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Sign in with browser" }));
	await waitFor(() => expect(done).toHaveBeenCalled());
});

test("where the portal does not know this program, the way to enter its client ID is offered instead", async () => {
	await way("Browser", signedInSite().site);
	expect(screen.getByText(/Browser sign-in requires a client ID/)).toBeVisible();
	expect(screen.getByRole("button", { name: "Enter client ID" })).toBeEnabled();
	expect(screen.queryByRole("button", { name: "Sign in with browser" })).toBeNull();
});

test("a portal that sends nobody back shows a code, which signs in", async () => {
	const { site } = signedInSite();
	const fail: MemoryOptions["fail"] = { signInWithCode: wrong("code", "notAToken") };
	const { user, done, backend } = await way("Browser", { ...site, clientId: "sitesteward" }, { fail });
	await user.click(screen.getByRole("button", { name: "The browser does not return to the app" }));
	await user.click(screen.getByRole("button", { name: "Open code page" }));
	const code = await screen.findByLabelText("Code");
	await user.type(code, "two words{Enter}");
	await waitFor(() => expect(code).toHaveAccessibleDescription(/complete token or authorization code/));
	delete fail.signInWithCode;
	await user.clear(code);
	await user.type(code, "9f1a2b3c{Enter}");
	await waitFor(() => expect(done).toHaveBeenCalled());
	expect(await backend.session(serverOf(site))).not.toBeNull();
});

test("a pasted token signs in; what is none is a fault under its field", async () => {
	const fail: MemoryOptions["fail"] = { signInWithToken: wrong("token", "notAToken") };
	const { user, done } = await way("Token", signedInSite().site, { fail });
	const token = screen.getByLabelText("Token", { selector: "input" });
	await user.type(token, "short{Enter}");
	await waitFor(() => expect(token).toHaveAccessibleDescription(/complete token or authorization code/));
	expect(await axeFindings()).toEqual([]);
	delete fail.signInWithToken;
	await user.clear(token);
	await user.type(token, "a-long-enough-token{Enter}");
	await waitFor(() => expect(done).toHaveBeenCalled());
});

test("the lines of a pasted header stay apart, and an error response is told", async () => {
	const { site } = signedInSite();
	const backend = fakeBackend({ world: { sites: [site] } });
	const sent = vi.spyOn(backend, "signInWithToken").mockRejectedValueOnce(wrong("token", "anErrorResponse"));
	const { user } = renderWith(<SignInForm site={site} />, backend);
	await user.click(screen.getByRole("tab", { name: "Token" }));
	const token = screen.getByLabelText("Token", { selector: "input" });
	await user.click(token);
	await user.paste('{"error":\r\n {"code": 400}}');
	await user.click(screen.getByRole("button", { name: "Sign in with token" }));
	expect(await screen.findByText(/This is an error response/)).toBeVisible();

	await user.clear(token);
	await user.paste("Authorization: Bearer a1b2c3d4e5\nHost: gis.example.org");
	await user.click(screen.getByRole("button", { name: "Sign in with token" }));
	const lines = "Authorization: Bearer a1b2c3d4e5\u2028Host: gis.example.org";
	await waitFor(() => expect(sent).toHaveBeenLastCalledWith(site.id, null, lines, ""));
});

test("a token that the site refuses shows the site's words and stays where it is", async () => {
	const refused: Problem = { kind: "rejected", code: 403, message: "The token is not for this site.", details: [] };
	const { user } = await way("Token", signedInSite().site, { fail: { signInWithToken: refused } });
	const token = screen.getByLabelText("Token", { selector: "input" });
	await user.type(token, "a-long-enough-token{Enter}");
	expect(await screen.findByText("The token is not for this site.")).toBeVisible();
	expect(token).toHaveValue("a-long-enough-token");
});

test("the tabs stand above all that differs, and a failure below the button", async () => {
	const { site } = signedInSite();
	const unreachable: Problem = { kind: "unreachable", stage: "connect", message: "refused" };
	const fail = { signIn: unreachable, signInWithToken: unreachable };
	const seen = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
	const { user } = await way("Token", { ...site, clientId: "sitesteward" }, { fail });
	const follows = (one: HTMLElement, other: HTMLElement) =>
		expect(one.compareDocumentPosition(other)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
	const tabs = screen.getByRole("tablist");
	for (const [tab, button] of [
		["Token", "Sign in with token"],
		["Password", "Sign in"],
	] as const) {
		await user.click(screen.getByRole("tab", { name: tab }));
		follows(tabs, screen.getByText(/^Your credentials are sent to/));
		await user.type(screen.getByLabelText(tab, { selector: "input" }), "a-long-enough-secret");
		await user.click(screen.getByRole("button", { name: button }));
		const notice = await screen.findByRole("alert");
		follows(screen.getByRole("button", { name: button }), notice);
		expect(seen.mock.contexts.at(-1)).toContainElement(notice);
	}
});

test("a server without a portal offers no browser", () => {
	const { site } = signedInSite();
	renderWith(<SignInForm site={{ ...site, portal: null }} />);
	expect(screen.getByRole("tab", { name: "Token" })).toBeInTheDocument();
	expect(screen.queryByRole("tab", { name: "Browser" })).toBeNull();
});

test("a server with an account of its own is named, and only it receives what is typed", async () => {
	const { site } = signedInSite();
	const backend = fakeBackend({ world: { sites: [site] } });
	const signIn = vi.spyOn(backend, "signIn");
	const server = { id: "srv1", name: "srv1", host: "srv1.example.org:6443" };
	const { user } = renderWith(<SignInForm site={site} server={server} />, backend);
	expect(screen.getByText(/sent to srv1.example.org:6443 only/)).toBeVisible();
	expect(screen.queryByRole("tab", { name: "Browser" })).toBeNull();
	expect(screen.getByLabelText("User name")).toHaveValue("");
	expect(await axeFindings()).toEqual([]);
	await fill(user, screen.getByLabelText("User name"), "siteadmin");
	await user.type(screen.getByLabelText("Password", { selector: "input" }), "secret{Enter}");
	await waitFor(() => expect(signIn).toHaveBeenCalledWith(site.id, "srv1", expect.anything()));
});

test("a token that the site does not take may belong to another web app, whose URL is sent then", async () => {
	const { site } = signedInSite();
	const rejected: Problem = { kind: "rejected", code: 498, message: "Invalid Token.", details: [] };
	const fail: { signInWithToken?: Problem } = { signInWithToken: rejected };
	const backend = fakeBackend({ world: { sites: [site] }, fail });
	const signIn = vi.spyOn(backend, "signInWithToken");
	const { user } = renderWith(<SignInForm site={site} />, backend);
	await user.click(screen.getByRole("tab", { name: "Token" }));
	expect(screen.getByText("site-steward")).toBeVisible();
	expect(screen.getByRole("button", { name: "Copy web app URL" })).toBeEnabled();
	const token = screen.getByLabelText("Token", { selector: "input" });
	await user.type(token, "a-long-enough-token{Enter}");
	const url = screen.getByLabelText("Web app URL (optional)");
	await waitFor(() => expect(url).toHaveAccessibleDescription(/might be bound to a web app URL/));
	expect(screen.getByText("Invalid Token.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	delete fail.signInWithToken;
	await user.type(url, "https://maps.example.org/app{Enter}");
	await waitFor(() =>
		expect(signIn).toHaveBeenLastCalledWith(site.id, null, "a-long-enough-token", "https://maps.example.org/app"),
	);
});

test("where every port is taken the page with a code is open, and its field is there", async () => {
	const { site } = signedInSite();
	const known = { ...site, clientId: "sitesteward" };
	const backend = fakeBackend({ world: { sites: [known] } });
	vi.spyOn(backend, "signInInBrowser").mockResolvedValue({ kind: "codePage" });
	const { user } = renderWith(<SignInForm site={known} />, backend);
	await user.click(screen.getByRole("tab", { name: "Browser" }));
	await user.click(screen.getByRole("button", { name: "Sign in with browser" }));
	expect(await screen.findByText(/All ports that the browser can return to are in use/)).toBeVisible();
	expect(await screen.findByLabelText("Code")).toBeVisible();
});

test("while the browser is open, the addresses that the portal must know are at hand", async () => {
	const { site } = signedInSite();
	const known = { ...site, clientId: "", organizationClientId: "set-for-all" };
	const backend = fakeBackend({ world: { sites: [known] } });
	vi.spyOn(backend, "signInInBrowser").mockReturnValue(new Promise(() => {}));
	const { user } = renderWith(<SignInForm site={known} />, backend);
	await user.click(screen.getByRole("tab", { name: "Browser" }));
	await user.click(screen.getByRole("button", { name: "Sign in with browser" }));
	expect(await screen.findByText(/Invalid redirect_uri/)).toBeVisible();
	expect(screen.getByRole("button", { name: "Copy http://127.0.0.1:17643/" })).toBeEnabled();
	expect(screen.getByRole("button", { name: "Copy urn:ietf:wg:oauth:2.0:oob" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

test("a rejected password is told with letter case and multifactor authentication", async () => {
	const { site } = signedInSite();
	const rejected: Problem = {
		kind: "rejected",
		code: 400,
		message: "Unable to generate token.",
		details: ["Invalid username or password specified."],
	};
	const { user } = renderWith(
		<SignInForm site={site} />,
		fakeBackend({ world: { sites: [site] }, fail: { signIn: rejected } }),
	);
	await user.type(screen.getByLabelText("Password", { selector: "input" }), "secret{Enter}");
	const notice = await screen.findByRole("alert");
	expect(notice).toHaveTextContent(
		/Invalid username or password specified.*case-sensitive.*multifactor.*select Browser/,
	);
});
