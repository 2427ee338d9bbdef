import { act, screen, waitFor, within } from "@testing-library/react";
import type { Backend, CertificateReason, ConnectionForm, DiscoveryAttemptView, FoundView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { foundServer, unreached } from "@/bridge/fake-backend/discovery";
import { wrong } from "@/bridge/fake-backend/problems";
import { serverForm } from "@/bridge/fake-backend/world";
import { formOf } from "@/lib/site-form";
import { axeFindings, certificateProblem, fill, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { AddSitePage } from "./add-site-page";
import { PortalServers } from "./portal-servers";

function adding(options: MemoryOptions | Backend = {}) {
	return renderWith(
		<WithPlace>
			<AddSitePage />
		</WithPlace>,
		options,
	);
}

type User = ReturnType<typeof adding>["user"];

async function find(user: User, address: string) {
	const pasted = screen.getByLabelText("Site URL");
	await fill(user, pasted, address);
	await user.keyboard("{Enter}");
}

type Outcome = DiscoveryAttemptView["outcome"];

/** Returns a backend whose search has another result, as long as there is one for the connection. */
function finding(result: (connection: ConnectionForm) => FoundView | null): Backend {
	const backend = fakeBackend();
	const { findSite } = backend;
	backend.findSite = async (site, pasted, connection) => result(connection) ?? findSite(site, pasted, connection);
	return backend;
}

/** Returns the result of a search that found nothing at three URLs. */
function nothing(outcome: Outcome): FoundView {
	const traces = ["portal", "server", "arcgis"].map((path) => ({
		address: `https://gis.example.org/${path}`,
		outcome,
	}));
	return { site: null, traces };
}

function distrusted(reason?: CertificateReason): Outcome {
	const { certificate } = certificateProblem("", reason);
	const chain = ["gis.example.org", "City Root CA"].map((name) => ({ subject: `CN=${name}`, fingerprint: name }));
	return { kind: "distrusted", certificate: { ...certificate, chain } };
}

const isTrusted = ({ trustedCertificates }: ConnectionForm) => trustedCertificates.length > 0;

/** Finds a server whose portal has a certificate that is not trusted. */
const findingFederated = () =>
	finding((connection) => {
		if (isTrusted(connection)) return null;
		const [server, portal] = ["https://federated.example.org:6443/arcgis", "https://gis.example.org/portal"];
		const site: FoundView["site"] = {
			deploymentType: "enterprise",
			portal: null,
			servers: [{ ...foundServer(serverForm("federated.example.org:6443", server)), federated: portal }],
			unreachedPortal: { server, address: portal, outcome: distrusted() },
		};
		return { site, traces: [] };
	});

test("every step is there from the beginning, and says what it waits for", async () => {
	adding();
	expect(screen.getAllByRole("heading", { level: 2 }).map((one) => one.textContent)).toEqual([
		"URL",
		"Name and color",
		"Sign in",
		"Federated servers",
	]);
	expect(screen.getByText("You can sign in after the site is added.")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a pasted page is found, overridden where it is wrong, added, signed in to, and its servers are kept", async () => {
	const { user, backend } = adding();
	await find(user, "https://gis.example.org/portal/home/index.html");
	const portal = await screen.findByLabelText("Portal URL");
	expect(portal).toHaveValue("https://gis.example.org/portal");
	expect(screen.getByText("Found: portal deployment")).toBeVisible();
	expect(screen.getByLabelText("Name")).toHaveValue("City of Northbridge");
	await user.click(screen.getByRole("button", { name: "Checked URLs (4)" }));
	expect(await screen.findByText("https://gis.example.org:6443/arcgis/admin")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await fill(user, screen.getByLabelText(/^Administration URL/), "https://gis-01.example.org:6443/arcgis");
	await user.click(screen.getByRole("button", { name: "Add site" }));

	await fill(user, await screen.findByLabelText("User name"), "gisadmin");
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.keyboard("{Enter}");
	expect(await screen.findByText("Signed in as gisadmin (administrator).")).toBeVisible();
	expect(await screen.findByRole("checkbox", { name: "imagery" })).toBeChecked();
	await user.click(screen.getByRole("checkbox", { name: "notebooks" }));
	expect(screen.getByText(/The site reports https:\/\/imagery-01.intern/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Add 1 server and go to overview" }));

	await waitFor(() => expect(screen.getByTestId("place")).toHaveTextContent(/^overview /));
	const [saved] = await backend.listSites();
	expect(saved?.servers.map(({ address, adminUrl: direct }) => [address, direct])).toEqual([
		["https://gis.example.org/server", "https://gis-01.example.org:6443/arcgis"],
		["https://imagery.example.org/image", ""],
	]);
});

test("an address that leads to another host says so before anybody signs in there", async () => {
	const backend = fakeBackend();
	const found = await backend.findSite(null, "gis.example.org", formOf(null).connection);
	backend.findSite = async () => found;
	const { user } = adding(backend);
	await find(user, "GIS.example.org");
	await screen.findByLabelText("Portal URL");
	expect(screen.queryByText("The site is on another host")).toBeNull();

	await find(user, "https://old.example.org/portal");

	const notice = await screen.findByText(/^The URL that you entered \(old\.example\.org\) leads to/);
	expect(notice).toHaveTextContent("gis.example.org");
});

test("another port of the same machine is no other host", async () => {
	const backend = fakeBackend();
	const found = await backend.findSite(null, "gis.example.org", formOf(null).connection);
	backend.findSite = async () => found;
	const { user } = adding(backend);
	await find(user, "GIS.example.org:7443/arcgis");
	await screen.findByLabelText("Portal URL");
	expect(screen.queryByText("The site is on another host")).toBeNull();
});

test("a certificate that is not trusted opens its card; trusting it is for its address, and the site is found", async () => {
	const { user, backend } = adding(finding((connection) => (isTrusted(connection) ? null : nothing(distrusted()))));
	await find(user, "gis.example.org");
	const card = within(await screen.findByRole("alert", { name: /certificate of gis.example.org is not trusted/ }));
	expect(card.getByText("The certificate was issued by an authority that this computer does not trust.")).toBeVisible();
	expect(card.getByText("January 1, 2025 to January 1, 2035")).toBeVisible();
	expect(card.getByRole("button", { name: "Certificates sent by the server (2)" })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(card.getByRole("button", { name: "Trust this certificate" }));
	await screen.findByText("Found: portal deployment");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(async () =>
		expect((await backend.listSites())[0]?.connection.trustedCertificates.map(({ origin }) => origin)).toEqual([
			"https://gis.example.org",
		]),
	);
});

test("a federated server is not added before its portal responds or somebody decides to add it alone", async () => {
	const { user, backend } = adding(findingFederated());
	await find(user, "federated.example.org");
	const notice = await screen.findByRole("alert", { name: "The portal of this server cannot be reached" });
	expect(notice).toHaveTextContent("https://gis.example.org/portal");
	expect(notice).toHaveTextContent(/The certificate is not trusted/);
	expect(screen.getByRole("alert", { name: /certificate of gis.example.org is not trusted/ })).toBeVisible();
	expect(screen.getByText("Decide first whether to add the portal of this server.")).toBeVisible();
	expect(screen.queryByRole("button", { name: "Add site" })).toBeNull();
	expect(await axeFindings()).toEqual([]);

	await user.click(screen.getByRole("button", { name: "Add server without portal" }));
	expect(await screen.findByText(/added without its portal https:\/\/gis.example.org\/portal/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Add site" }));

	expect(await screen.findByText(/sent to federated.example.org:6443\/arcgis only/)).toBeVisible();
	expect(screen.getByText(/Use an account of this server/)).toBeVisible();
	const [saved] = await backend.listSites();
	expect([saved?.portal, saved?.server]).toEqual([null, "https://federated.example.org:6443/arcgis"]);
});

test("trusting the certificate of the portal that a server names adds the portal with it", async () => {
	const { user, backend } = adding(findingFederated());
	await find(user, "federated.example.org");
	await user.click(await screen.findByRole("button", { name: "Trust this certificate" }));
	await screen.findByText("Found: portal deployment");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(async () => expect((await backend.listSites())[0]?.portal).toMatch(/\/portal$/));
	const [saved] = await backend.listSites();
	expect(saved?.connection.trustedCertificates.map(({ origin }) => origin)).toEqual(["https://gis.example.org"]);
});

test("an authority's certificate in the place of a server's has words of its own", async () => {
	const { user } = adding(finding(() => nothing(distrusted({ kind: "caAsEndEntity" }))));
	await find(user, "gis.example.org");
	expect(await screen.findByText(/Adding the CA certificate does not help here/)).toBeVisible();
});

const lost = (stage: Parameters<typeof unreached>[0]) => unreached(stage, "connection closed");
const refusal = { proxy: "http://proxy.example.org:3128", target: "gis.example.org", status: 407, schemes: ["Basic"] };
const proxyRefused: Outcome = { kind: "proxyRefused", refusal };

test.each<[Outcome, title: string, advice: RegExp]>([
	[proxyRefused, "The proxy requires a user name and a password", /Enter them under “Proxy and certificates”/],
	[unreached("connect", "the name could not be resolved"), "The host cannot be reached", /Check the URL, the network/],
	[unreached("wait", "timed out"), "No response received in time", /whether the site is running/],
	[lost("lost"), "The connection was closed", /what closes the connection/],
	[lost("tls"), "Could not establish a secure connection", /uses HTTPS/],
	[lost("tlsSuites"), "No common cipher suite", /TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384/],
	[lost("send"), "The connection was lost", /closes the connection/],
	[lost("read"), "Incomplete response", /interrupts the response/],
	[{ kind: "somethingElse", status: 200 }, "No portal or server found", /name of its web adaptor/],
	[{ kind: "atTheDoor", challenge: "Negotiate, NTLM" }, "The web server requires its own authentication", /port 7443/],
])("%o: nothing is found, why and what to do is said, and nothing typed is lost", async (outcome, title, advice) => {
	const { user } = adding(finding(() => nothing(outcome)));
	await fill(user, screen.getByLabelText("Name"), "City");
	await find(user, "gis.example.org");
	const notice = await screen.findByRole("alert", { name: title });
	expect(notice).toHaveTextContent(advice);
	expect(screen.getByRole("button", { name: "Checked URLs (3)" })).toBeVisible();
	expect(screen.getByLabelText("Site URL")).toHaveValue("gis.example.org");
	expect(screen.getByLabelText("Name")).toHaveValue("City");
	expect(await axeFindings()).toEqual([]);
});

test("a proxy that wants a password brings the fields for it, and so does a wrong file", async () => {
	const backend = fakeBackend({ chosenFile: "/home/sam/notes.txt" });
	const { findSite } = backend;
	backend.findSite = async () => nothing(proxyRefused);
	const { user } = adding(backend);
	const folded = screen.getByRole("button", { name: "Proxy and certificates" });
	expect(folded).toHaveAttribute("aria-expanded", "false");
	await find(user, "gis.example.org");
	await waitFor(() => expect(folded).toHaveAttribute("aria-expanded", "true"));
	backend.findSite = findSite;
	backend.saveSite = () => Promise.reject(wrong("connection.caCertificate", "notACertificate"));
	await find(user, "gis.example.org");
	await screen.findByLabelText("Portal URL");
	const authority = screen.getByLabelText(/^CA certificate/);
	await user.click(screen.getByRole("button", { name: "Choose CA certificate" }));
	await waitFor(() => expect(authority).toHaveValue("/home/sam/notes.txt"));
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(() => expect(authority).toHaveAccessibleDescription(/No certificate could be read/));
});

test("what is no address is a fault under its field", async () => {
	const { user } = adding();
	await find(user, "two words");
	await waitFor(() => expect(screen.getByLabelText("Site URL")).toBeInvalid());
});

test("looking can be given up, and an answer that comes after that changes nothing", async () => {
	let answer = (_: FoundView) => {};
	const backend = fakeBackend();
	const found = await backend.findSite(null, "gis.example.org", formOf(null).connection);
	backend.findSite = () => new Promise((resolve) => (answer = resolve));
	const { user } = adding(backend);
	await find(user, "gis.example.org");
	await user.click(await screen.findByRole("button", { name: "Stop search" }));
	expect(screen.queryByRole("button", { name: "Stop search" })).toBeNull();
	await act(async () => answer(found));
	expect(screen.queryByLabelText("Portal URL")).toBeNull();
	expect(screen.getByRole("button", { name: "Find site" })).toBeEnabled();
});

test("addresses are entered by hand; a wrong one is a fault under its field", async () => {
	const fail: MemoryOptions["fail"] = { saveSite: wrong("servers.0.address", "notAnAddress") };
	const { user } = adding({ fail });
	await user.click(screen.getByRole("button", { name: "Enter URLs manually" }));
	await fill(user, screen.getByLabelText("Name"), "City");
	const server = screen.getByLabelText("Server URL");
	await fill(user, server, "gis.example.org");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(() => expect(server).toHaveAccessibleDescription(/Enter a complete URL/));
	await waitFor(() => expect(server).toHaveFocus());
	await fill(user, server, "https://gis.example.org/server");
	const name = screen.getByLabelText("Server name");
	fail.saveSite = wrong("servers.0.name", "required");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(() => expect(name).toHaveAccessibleDescription("Enter a value."));
	await fill(user, name, "Hosting");
	delete fail.saveSite;
	await user.click(screen.getByRole("button", { name: "Add site" }));
	expect(await screen.findByText("Added City.")).toBeVisible();
});

test("a missing address brings the fields to enter one", async () => {
	const { user } = adding({ fail: { saveSite: wrong("portal", "required") } });
	await fill(user, screen.getByLabelText("Name"), "City");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(() => expect(screen.getByLabelText("Portal URL")).toHaveAccessibleDescription(/Enter a value/));
});

test("what was begun is there again after a reload, without passwords, until it is discarded", async () => {
	const first = adding();
	await find(first.user, "gis.example.org");
	await screen.findByLabelText("Portal URL");
	await first.user.click(screen.getByRole("button", { name: "Proxy and certificates" }));
	await first.user.click(await screen.findByRole("radio", { name: "Use this proxy" }));
	await fill(first.user, screen.getByLabelText("Proxy URL"), "http://proxy.example.org:3128");
	await fill(first.user, screen.getByLabelText("Proxy password"), "canary");
	first.unmount();
	expect(JSON.stringify({ ...sessionStorage })).not.toContain("canary");

	const { user } = adding();
	expect(screen.getByLabelText("Site URL")).toHaveValue("gis.example.org");
	expect(screen.getByLabelText("Portal URL")).toHaveValue("https://gis.example.org/portal");
	await user.click(screen.getByRole("button", { name: "Proxy and certificates" }));
	expect(await screen.findByLabelText("Proxy URL")).toHaveValue("http://proxy.example.org:3128");
	await user.click(screen.getByRole("button", { name: "Discard input" }));
	expect(screen.getByLabelText("Site URL")).toHaveValue("");
	expect(screen.queryByLabelText("Portal URL")).toBeNull();
});

test("what is set before an address is entered can be discarded too", async () => {
	const first = adding();
	expect(screen.queryByRole("button", { name: "Discard input" })).toBeNull();
	await first.user.click(screen.getByRole("radio", { name: "Green" }));
	first.unmount();

	const { user } = adding();
	expect(screen.getByRole("radio", { name: "Green" })).toBeChecked();
	await user.click(screen.getByRole("button", { name: "Discard input" }));
	expect(screen.getByRole("radio", { name: "Blue" })).toBeChecked();
	expect(screen.queryByRole("button", { name: "Discard input" })).toBeNull();
});

test("after a site was added, another one is added from an empty form, also when the page was left meanwhile", async () => {
	const first = adding();
	await find(first.user, "gis.example.org");
	await first.user.click(await screen.findByRole("button", { name: "Add site" }));
	expect(await screen.findByRole("button", { name: "Add another site" })).toBeVisible();
	first.unmount();

	const { backend } = first;
	backend.findSite = findingFederated().findSite;
	const { user } = adding(backend);
	await user.click(await screen.findByRole("button", { name: "Add another site" }));
	expect(screen.getByLabelText("Site URL")).toHaveValue("");
	expect(screen.getByLabelText("Site URL")).toHaveFocus();
	expect(screen.getByLabelText("Name")).toHaveValue("");
	await find(user, "federated.example.org");
	await user.click(await screen.findByRole("button", { name: "Add server without portal" }));
	await user.click(await screen.findByRole("button", { name: "Add site" }));
	await waitFor(async () => expect(await backend.listSites()).toHaveLength(2));
});

test("a user who opens another page while the servers are saved stays there", async () => {
	const backend = fakeBackend();
	const { user } = adding(backend);
	await find(user, "gis.example.org");
	await user.click(await screen.findByRole("button", { name: "Add site" }));
	await fill(user, await screen.findByLabelText("User name"), "gisadmin");
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.keyboard("{Enter}");
	const keep = await screen.findByRole("button", { name: "Add 2 servers and go to overview" });
	let answer = () => {};
	const save = backend.saveSite;
	backend.saveSite = async (form) => {
		await new Promise<void>((resolve) => (answer = resolve));
		return save(form);
	};
	await user.click(keep);
	await user.click(screen.getByRole("button", { name: "Edit site" }));
	expect(screen.getByTestId("place")).toHaveTextContent(/^edit-site /);

	answer();
	expect(await screen.findByRole("button", { name: "Go to overview" })).toBeEnabled();
	expect(screen.getByTestId("place")).toHaveTextContent(/^edit-site /);
});

test("a site that was saved after the page was left is not added again", async () => {
	const backend = fakeBackend();
	const first = adding(backend);
	await find(first.user, "gis.example.org");
	await screen.findByLabelText("Portal URL");
	let answer = () => {};
	const save = backend.saveSite;
	backend.saveSite = async (form) => {
		await new Promise<void>((resolve) => (answer = resolve));
		return save(form);
	};
	await first.user.click(screen.getByRole("button", { name: "Add site" }));
	first.unmount();
	answer();
	await waitFor(async () => expect(await backend.listSites()).toHaveLength(1));

	adding(backend);
	expect(await screen.findByText("Added City of Northbridge.")).toBeVisible();
});

test("a server that the portal names at another host is marked before it is kept; another port is no other host", async () => {
	const { site, world } = signedInSite();
	const servers = site.servers.map((one) => ({
		...one,
		name: "hosting",
		address: "https://gis.example.org:6443/arcgis",
	}));
	const here = { ...site, servers };
	renderWith(<PortalServers site={here} onDone={() => {}} />, { world: { ...world, sites: [here] } });
	expect(await screen.findByRole("checkbox", { name: "imagery" })).toHaveAccessibleDescription(
		/^https:\/\/imagery\.example\.org\/image\s· .* Other host$/,
	);
	expect(screen.getByText(/^https:\/\/gis\.example\.org:6443\/arcgis ·/)).toBeVisible();
	expect(screen.getByText(/^https:\/\/gis\.example\.org\/notebooks ·/)).toBeVisible();
	expect(screen.getAllByText("Other host")).toHaveLength(1);
	expect(await axeFindings()).toEqual([]);
});

test("the only server of a portal is chosen, and so are its button and before it the field of the user name", async () => {
	const backend = fakeBackend();
	const known = backend.findServers;
	backend.findServers = async (site) => (await known(site)).filter(({ form }) => form.name === "imagery");
	const { user } = adding(backend);
	await user.click(screen.getByRole("button", { name: "Enter URLs manually" }));
	await fill(user, screen.getByLabelText("Portal URL"), "https://gis.example.org/portal");
	await fill(user, screen.getByLabelText("Name"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	const name = await screen.findByLabelText("User name");
	await waitFor(() => expect(name).toHaveFocus());
	await user.keyboard("gisadmin");
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.keyboard("{Enter}");
	expect(await screen.findByRole("checkbox", { name: "imagery" })).toBeChecked();
	await user.click(screen.getByRole("button", { name: "Add 1 server and go to overview" }));
	await waitFor(() => expect(screen.getByTestId("place")).toHaveTextContent(/^overview /));
	expect((await backend.listSites())[0]?.servers).toHaveLength(1);
});

/** Opens the page with the federated servers of a saved site that has one server. */
function listed(change: (backend: Backend) => void = () => {}, fail: MemoryOptions["fail"] = {}) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world, fail });
	change(backend);
	const onDone = vi.fn();
	const view = renderWith(<PortalServers site={site} onDone={onDone} />, backend);
	return { ...view, site, onDone };
}

test("every server that the portal lists is selected, and its name and type are corrected in its row", async () => {
	const fail: MemoryOptions["fail"] = { saveSite: wrong("servers.2.name", "nameTaken") };
	const { user, backend, onDone } = listed(undefined, fail);
	expect(await screen.findByRole("checkbox", { name: "imagery" })).toBeChecked();
	expect(screen.getByRole("checkbox", { name: "notebooks" })).toBeChecked();
	const name = screen.getByLabelText("Server name https://gis.example.org/notebooks");
	await fill(user, name, "Imagery");
	await user.click(screen.getByRole("button", { name: "Add 2 servers and go to overview" }));
	await waitFor(() => expect(name).toHaveAccessibleDescription("This name is already in use."));
	await waitFor(() => expect(name).toHaveFocus());
	expect(screen.getByRole("group")).toHaveAccessibleDescription(/^Clear the check boxes of servers/);
	expect(await axeFindings()).toEqual([]);

	delete fail.saveSite;
	await fill(user, name, "Notebooks");
	await user.click(screen.getByRole("combobox", { name: "Server type https://gis.example.org/notebooks" }));
	await user.click(await screen.findByRole("option", { name: "Notebook server" }));
	await user.click(screen.getByRole("button", { name: "Add 2 servers and go to overview" }));

	await waitFor(() => expect(onDone).toHaveBeenCalled());
	const [saved] = await backend.listSites();
	expect(saved?.servers.slice(1).map((server) => [server.name, server.serverType.kind])).toEqual([
		["imagery", "gis"],
		["Notebooks", "notebook"],
	]);
});

test("the fault of a server stays with it when the list that is added changes", async () => {
	const { user } = listed((backend) => {
		backend.saveSite = () => Promise.reject({ kind: "form", field: "servers.1.name", fault: "nameTaken" });
	});
	const imagery = await screen.findByRole("checkbox", { name: "imagery" });
	await user.click(screen.getByRole("button", { name: "Add 2 servers and go to overview" }));
	expect(await screen.findByText("This name is already in use.")).toBeVisible();
	await user.click(imagery);
	expect(screen.getByLabelText("Server name https://gis.example.org/notebooks")).toBeValid();
	expect(screen.queryByText("This name is already in use.")).toBeNull();
});

test("a hosting server that was found by its host alone gets its role from the portal", async () => {
	const { user, backend, site, onDone } = listed((backend) => {
		backend.findServers = async (id) => {
			const [saved] = (await backend.listSites()).find((one) => one.id === id)?.servers ?? [];
			if (!saved) throw new Error("no server");
			return [{ form: { ...saved, role: "HOSTING_SERVER" }, version: "11.3", federated: null, fellBack: null }];
		};
	});
	expect(site.servers[0]?.role).toBe("");
	await user.click(await screen.findByRole("button", { name: "Go to overview" }));
	await waitFor(() => expect(onDone).toHaveBeenCalled());
	expect((await backend.listSites())[0]?.servers[0]?.role).toBe("HOSTING_SERVER");
});

test("the button that is suggested never leads to a site without servers while the portal lists some", async () => {
	const backend = fakeBackend();
	const known = backend.findServers;
	let answer = () => {};
	backend.findServers = async (site) => {
		await new Promise<void>((resolve) => (answer = resolve));
		return known(site);
	};
	const { user } = adding(backend);
	await user.click(screen.getByRole("button", { name: "Enter URLs manually" }));
	await fill(user, screen.getByLabelText("Portal URL"), "https://gis.example.org/portal");
	await fill(user, screen.getByLabelText("Name"), "City GIS");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await fill(user, await screen.findByLabelText("User name"), "gisadmin");
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.keyboard("{Enter}");
	const isSuggested = (name: string) => screen.getByRole("button", { name }).dataset.variant === "filled";
	await screen.findByRole("button", { name: "Go to overview" });
	expect(isSuggested("Go to overview")).toBe(false);

	await act(async () => answer());
	await screen.findByRole("button", { name: "Add 2 servers and go to overview" });
	expect(isSuggested("Add 2 servers and go to overview")).toBe(true);
	for (const name of ["imagery", "notebooks"]) await user.click(screen.getByRole("checkbox", { name }));
	expect(isSuggested("Go to overview")).toBe(false);
});

test("a portal that does not name its servers keeps nobody from the overview", async () => {
	const { user } = adding({
		fail: { findServers: { kind: "rejected", code: 403, message: "Forbidden", details: [] } },
	});
	await find(user, "gis.example.org");
	await user.click(await screen.findByRole("button", { name: "Add site" }));
	await fill(user, await screen.findByLabelText("User name"), "gisviewer");
	await fill(user, screen.getByLabelText("Password", { selector: "input" }), "secret");
	await user.keyboard("{Enter}");
	expect(await screen.findByRole("alert", { name: "The site rejected the request" })).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Go to overview" }));
	expect(screen.getByTestId("place")).toHaveTextContent(/^overview /);
});
