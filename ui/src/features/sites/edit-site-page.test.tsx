import { screen, waitFor, within } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import type { SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { practiceSite } from "@/bridge/fake-backend/world";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { EditSitePage } from "./edit-site-page";

function editing(site: SiteView, copy = false, fail: MemoryOptions["fail"] = {}) {
	return renderWith(
		<WithPlace>
			<EditSitePage site={site} copy={copy} />
		</WithPlace>,
		{ fail, world: { sites: [site] } },
	);
}

const save = () => screen.getByRole("button", { name: "Save" });

test("servers are added with their direct address and removed", async () => {
	const { site } = signedInSite();
	const { user, backend } = editing(site);
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Add server" }));
	const added = within(screen.getByRole("group", { name: "Server 2" }));
	await fill(user, added.getByLabelText("Server URL"), "https://imagery.example.org/image");
	await fill(user, added.getByLabelText("Server name"), "Imagery");
	await fill(
		user,
		within(screen.getByRole("group", { name: "Imagery" })).getByLabelText(/^Administration URL/),
		"https://img-01.example.org:6443/arcgis",
	);
	expect(screen.queryByText(/If you change a URL, you are signed out/)).toBeNull();
	const first = within(screen.getByRole("group", { name: "gis.example.org" }));
	await user.click(first.getByRole("button", { name: "Remove server: gis.example.org" }));
	expect(screen.getByText(/If you change a URL, you are signed out/)).toBeVisible();
	await fill(user, screen.getByLabelText("Reason"), "It moved");
	await user.click(save());
	await waitFor(() => expect(screen.getByTestId("place")).toHaveTextContent("overview city"));
	expect((await backend.listSites())[0]?.servers.map(({ adminUrl: direct }) => direct)).toEqual([
		"https://img-01.example.org:6443/arcgis",
	]);
});

test("a server whose URL changed can be declared to be the same one", async () => {
	const { site } = signedInSite();
	const { user, backend } = editing(site);
	const saved = vi.spyOn(backend, "saveSite");
	const same = { name: "Only URLs change" };
	expect(screen.queryByRole("checkbox", same)).toBeNull();
	const first = within(screen.getByRole("group", { name: "gis.example.org" }));
	await fill(user, first.getByLabelText(/^Administration URL/), "https://machine2.example.org:6443/arcgis");
	const checkbox = screen.getByRole("checkbox", same);
	expect(checkbox).not.toBeChecked();
	await user.click(checkbox);
	expect(await axeFindings()).toEqual([]);
	await fill(user, screen.getByLabelText("Reason"), "It moved");
	await user.click(save());
	await waitFor(() => expect(saved).toHaveBeenCalledWith(expect.objectContaining({ isSame: true })));
});

test("a production site becomes a test site with a reason only, and asks for none otherwise", async () => {
	const { site } = signedInSite();
	const fail: MemoryOptions["fail"] = { saveSite: wrong("reason", "tooShort") };
	const { user, backend } = editing(site, false, fail);
	expect(screen.queryByLabelText("Reason")).toBeNull();
	await user.click(screen.getByRole("radio", { name: "Test" }));
	await user.click(save());
	await waitFor(() =>
		expect(screen.getByLabelText("Reason")).toHaveAccessibleDescription(/Enter a reason of at least 3 characters/),
	);
	expect((await backend.listSites())[0]?.environment).toBe("production");
	await fill(user, screen.getByLabelText("Reason"), "Replaced by the new cluster");
	delete fail.saveSite;
	await user.click(save());
	await waitFor(async () => expect((await backend.listSites())[0]?.environment).toBe("test"));
});

test("a second site at the address of a read-only one is read-only too, and why is said", async () => {
	const { site } = signedInSite();
	const fail: MemoryOptions["fail"] = { saveSite: wrong("readOnly", "readOnlyElsewhere") };
	const { user, backend } = editing({ ...site, readOnly: true }, true, fail);
	await user.click(screen.getByRole("checkbox", { name: /^Read-only/ }));
	await user.click(screen.getByRole("button", { name: "Add site" }));
	expect(await screen.findByText(/^Another site with this URL is read-only\./)).toBeVisible();
	delete fail.saveSite;
	await user.click(screen.getByRole("checkbox", { name: /^Read-only/ }));
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(async () => expect(await backend.listSites()).toHaveLength(2));
});

test("a fault of the second server is said under its field", async () => {
	const { site } = signedInSite();
	const { user } = editing(site, false, { saveSite: wrong("servers.1.address", "notAnAddress") });
	await user.click(screen.getByRole("button", { name: "Add server" }));
	const address = within(screen.getByRole("group", { name: "Server 2" })).getByLabelText("Server URL");
	await fill(user, address, "nowhere");
	await user.click(save());
	await waitFor(() => expect(address).toHaveAccessibleDescription(/Enter a complete URL/));
	expect(address).toHaveFocus();
});

test("a proxy takes its name and password, and a wrong address of it is a fault of its field", async () => {
	const { site } = signedInSite();
	const fail: MemoryOptions["fail"] = { saveSite: wrong("connection.route.address", "notAnAddress") };
	const { user, backend } = editing(site, false, fail);
	await user.click(screen.getByRole("radio", { name: "Use this proxy" }));
	const address = screen.getByLabelText("Proxy URL");
	await fill(user, address, "proxy");
	await user.click(save());
	await waitFor(() => expect(address).toBeInvalid());
	delete fail.saveSite;
	await fill(user, address, "http://proxy.example.org:3128");
	await fill(user, screen.getByLabelText("Proxy user name"), "steward");
	await fill(user, screen.getByLabelText("Hosts without proxy"), "a.example.org, b.example.org");
	expect(screen.getByLabelText("Hosts without proxy")).toHaveValue("a.example.org, b.example.org");
	expect(screen.getByLabelText("Proxy password")).toHaveAccessibleDescription(/keep the saved password/);
	await user.click(save());
	await waitFor(async () =>
		expect((await backend.listSites())[0]?.connection.route).toEqual({
			kind: "proxy",
			address: "http://proxy.example.org:3128",
			user: "steward",
			// The app trims them.
			exceptions: ["a.example.org", " b.example.org"],
		}),
	);
});

test("no site has a way of its own where the organisation decides it", async () => {
	const { site } = signedInSite();
	const { preferences } = await fakeBackend().preferences();
	const policy = {
		file: "/etc/site-steward/policy.json",
		locked: ["route" as const],
		plans: "allowed" as const,
		plansFolder: null,
		faults: [],
	};
	const world = { sites: [site], preferences: { preferences, setAside: [], policy } };
	renderWith(<EditSitePage site={site} copy={false} />, { world });
	expect(screen.getByRole("radio", { name: "Use this proxy" })).toBeDisabled();
	expect(screen.getByText("Your organization manages this setting.")).toBeInTheDocument();
	expect(screen.getByRole("button", { name: "Choose CA certificate" })).toBeEnabled();
});

test("a certificate file comes from the system's dialog, and the client certificate asks for its password", async () => {
	const { site } = signedInSite();
	const { user } = editing(site);
	expect(screen.queryByText(/^If you change the proxy or a certificate, you are signed out/)).toBeNull();
	await user.click(screen.getByRole("button", { name: "Choose CA certificate" }));
	await waitFor(() =>
		expect(screen.getByLabelText(/^CA certificate/)).toHaveValue("/home/sam/certificates/city-root-ca.pem"),
	);
	expect(screen.queryByLabelText("Password of the client certificate")).toBeNull();
	expect(screen.getByLabelText(/^CA certificate/)).toHaveAttribute("readonly");
	expect(screen.getByText(/^If you change the proxy or a certificate, you are signed out/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Choose client certificate" }));
	expect(await screen.findByLabelText("Password of the client certificate")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Remove client certificate" }));
	await user.click(screen.getByRole("button", { name: "Remove CA certificate" }));
	expect(screen.queryByLabelText("Password of the client certificate")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("a certificate that was trusted is no longer, once that is saved", async () => {
	const { site } = signedInSite();
	const pins = [{ origin: "https://gis.example.org", fingerprint: "AB:CD" }];
	const { user, backend } = editing({ ...site, connection: { ...site.connection, trustedCertificates: pins } });
	await user.click(screen.getByRole("button", { name: "Stop trusting the certificate of https://gis.example.org" }));
	expect((await backend.listSites())[0]?.connection.trustedCertificates).toHaveLength(1);
	await user.click(save());
	await waitFor(async () => expect((await backend.listSites())[0]?.connection.trustedCertificates).toEqual([]));
});

test("a name that is too long is a fault under its field", async () => {
	const { site } = signedInSite();
	const { user } = editing(site, false, { saveSite: wrong("name", "tooLong") });
	const name = screen.getByLabelText("Name");
	await fill(user, name, "x".repeat(61));
	await user.click(save());
	await waitFor(() => expect(name).toHaveAccessibleDescription(/at most 60 characters/));
});

test("a copy is a new site, and the first one stays as it is", async () => {
	const { site } = signedInSite();
	const { user, backend } = editing(site, true);
	expect(screen.getByLabelText("Name")).toHaveValue("City GIS (copy)");
	await user.click(screen.getByRole("button", { name: "Add site" }));
	await waitFor(async () => expect(await backend.listSites()).toHaveLength(2));
	const [first, copy] = await backend.listSites();
	expect(first).toEqual(site);
	expect(copy).toMatchObject({ name: "City GIS (copy)", portal: site.portal, username: null });
	expect(copy?.id).not.toBe(site.id);
});

test("changes that were left without saving are said to be not saved, and can be discarded", async () => {
	const { site } = signedInSite();
	const { user } = renderWith(
		<Leaving>
			<EditSitePage site={site} />
		</Leaving>,
		{ world: { sites: [site] } },
	);
	await user.click(screen.getByRole("checkbox", { name: "Read-only" }));
	expect(screen.queryByText("These changes are not saved")).toBeNull();
	const leave = screen.getByRole("button", { name: "leave" });
	await user.click(leave);
	await user.click(leave);
	expect(screen.getByText("These changes are not saved")).toBeVisible();
	expect(screen.getByRole("checkbox", { name: "Read-only" })).toBeChecked();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Use current values" }));
	expect(screen.getByRole("checkbox", { name: "Read-only" })).not.toBeChecked();
	await user.click(leave);
	await user.click(leave);
	expect(screen.queryByText("These changes are not saved")).toBeNull();
});

test("the practice site has no environment to choose, and no other one is shown as its own", () => {
	editing({ ...practiceSite() });
	expect(screen.getByLabelText("Name")).toHaveValue("Practice");
	expect(screen.queryByRole("radio", { name: "Production" })).toBeNull();
});

/** Page that can be left and opened again. */
function Leaving({ children }: { children: ReactNode }) {
	const [here, setHere] = useState(true);
	return (
		<WithPlace>
			<main id="content" tabIndex={-1}>
				<button type="button" onClick={() => setHere(!here)}>
					leave
				</button>
				{here ? children : null}
			</main>
		</WithPlace>
	);
}
