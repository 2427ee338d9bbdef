import { screen, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import type { Backend, Problem, Profile, ProfileFile, ProfileView } from "@/bridge";
import { wrong } from "@/bridge/fake-backend/problems";
import { emptyServer } from "@/lib/site-form";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { ImportProfiles } from "./import-profiles";

const path = "/home/sam/profiles.json";

function view(name: string, more: Partial<Profile> = {}, seen: Partial<ProfileView> = {}): ProfileView {
	const profile: Profile = {
		name,
		environment: "production",
		color: "blue",
		deploymentType: "enterprise",
		portal: `https://${name.toLowerCase().replaceAll(" ", "-")}.example.org/portal`,
		portalAdminUrl: "",
		servers: [],
		route: { kind: "system" },
		hadAuthority: false,
		hadClientCertificate: false,
		clientId: "",
		readOnly: false,
		plans: [],
		...more,
	};
	const addresses = [{ address: profile.portal, role: "portal" as const, differs: false }];
	return { profile, addresses, problem: null, samePlace: null, ...seen };
}

async function opened(profileFile: ProfileFile) {
	const world = { sites: [signedInSite().site], profileFile };
	const shown = renderWith(<ImportProfiles opened onClose={vi.fn()} />, { world });
	await shown.user.click(await screen.findByRole("button", { name: "Choose file" }));
	return shown;
}

const nameTaken = wrong("name", "nameTaken");

const names = async (backend: Backend) => (await backend.listSites()).map(({ name }) => name);

test("a profile that cannot be read is named, and the others can be added", async () => {
	await opened({ kind: "read", path, profiles: [view("Harbour")], damaged: ["Upland", ""] });

	expect(await screen.findByRole("alert")).toHaveTextContent(
		"2 profiles in the file cannot be read: Upland and without a name",
	);
	expect(screen.getByRole("button", { name: "Add 1 site" })).toBeEnabled();
});

test("what a file would add is seen first; a clash is named, and nothing that is there is changed", async () => {
	const city = signedInSite().site;
	const clash = view("City GIS", {}, { problem: nameTaken, samePlace: city.name });
	const harbour = view("Harbour", { hadAuthority: true });
	const { user, backend } = await opened({ kind: "read", path, profiles: [clash, harbour], damaged: [] });

	expect(await screen.findByText("City GIS already has this URL.")).toBeVisible();
	const pick = screen.getByRole("checkbox", { name: "Select City GIS" });
	expect(pick).not.toBeChecked();
	expect(screen.queryByText("This name is already in use.")).not.toBeInTheDocument();
	await user.click(pick);
	expect(screen.getByText("This name is already in use.")).toBeVisible();
	await user.click(pick);
	expect(screen.getByText(/This profile used a CA certificate/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Add 1 site" }));

	expect(await screen.findByText("Added 1 site.")).toBeVisible();
	expect(await names(backend)).toEqual(["City GIS", "Harbour"]);
	expect((await backend.listSites())[0]).toEqual(city);
});

test("plans of a profile that were not added are told after its site was added", async () => {
	const harbour = view("Harbour", { plans: [1, null] });
	const { user } = await opened({ kind: "read", path, profiles: [harbour], damaged: [] });
	expect(await screen.findByText(/With 2 backup plans, which are added paused/)).toBeVisible();

	await user.click(screen.getByRole("button", { name: "Add 1 site" }));

	expect(await screen.findByText(/2 backup plans were not added/)).toBeVisible();
	expect(screen.queryByText(/which are added paused/)).not.toBeInTheDocument();
});

test("an address at another host is marked, and its site is added only when that was confirmed", async () => {
	const server = { ...emptyServer, name: "Hosting", address: "https://harbour.example.org/server" };
	const hidden = "https://other.example.net:6443/arcgis";
	const addresses = [{ address: hidden, role: "serverAdminUrl" as const, differs: true }];
	const harbour = view("Harbour", { servers: [{ ...server, adminUrl: hidden }] }, { addresses });
	const { user, backend } = await opened({ kind: "read", path, profiles: [harbour, view("Upland")], damaged: [] });
	const add = backend.addProfile;
	backend.addProfile = async (profile, name, confirmed) => {
		const isConfirmed = name === "Upland" || confirmed.includes(hidden);
		if (!isConfirmed) throw { kind: "unconfirmedAddress", site: "", addresses: [hidden] } satisfies Problem;
		return add(profile, name, confirmed);
	};

	expect(await screen.findByText(`Server, administration URL: ${hidden}`)).toBeVisible();
	expect(screen.getAllByText("Other host")).toHaveLength(1);
	expect(screen.getByRole("checkbox", { name: "Select Harbour" })).not.toBeChecked();
	expect(screen.getByRole("button", { name: "Add 1 site" })).toBeEnabled();
	await user.click(screen.getByRole("checkbox", { name: "Select Harbour" }));
	await user.click(screen.getByRole("button", { name: "Add 2 sites" }));
	expect(await screen.findByText("Confirm the marked hosts first.")).toBeVisible();
	expect(await names(backend)).toEqual(["City GIS", "Upland"]);

	await user.click(screen.getByRole("checkbox", { name: "I know that the marked hosts belong to Harbour." }));
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Add 1 site" }));
	expect(await screen.findByText("Added 2 sites.")).toBeVisible();
	expect(await names(backend)).toEqual(["City GIS", "Upland", "Harbour"]);
});

test("another name settles a clash of names", async () => {
	const { user, backend } = await opened({
		kind: "read",
		path,
		profiles: [view("City GIS", {}, { problem: nameTaken })],
		damaged: [],
	});
	const name = await screen.findByRole("textbox", { name: "Name of City GIS" });
	await fill(user, name, "City GIS 2");
	await user.click(screen.getByRole("button", { name: "Add 1 site" }));
	await waitFor(async () => expect(await names(backend)).toEqual(["City GIS", "City GIS 2"]));
});

test("two of one name in a file: the first is added, the second says why not", async () => {
	const { user, backend } = await opened({
		kind: "read",
		path,
		profiles: [view("Harbour"), view("Harbour")],
		damaged: [],
	});
	const add = backend.addProfile;
	backend.addProfile = async (...form) => {
		backend.addProfile = () => Promise.reject(nameTaken);
		return add(...form);
	};
	await user.click(await screen.findByRole("button", { name: "Add 2 sites" }));
	expect(await screen.findByText("Added 1 site.")).toBeVisible();
	expect(await screen.findByText("This name is already in use.")).toBeVisible();
	expect(await names(backend)).toEqual(["City GIS", "Harbour"]);
});

test("a profile that can never be saved cannot be picked, and says why", async () => {
	const bad = view("Upland", {}, { problem: wrong("portal", "notAnAddress") });
	await opened({ kind: "read", path, profiles: [bad], damaged: [] });
	expect(await screen.findByRole("checkbox", { name: "Select Upland" })).toBeDisabled();
	expect(screen.getByText(/Cannot be added: Enter a complete URL/)).toBeVisible();
	expect(screen.getByRole("button", { name: "Add sites" })).toBeDisabled();
});

test.each<[ProfileFile, RegExp]>([
	[{ kind: "notOurs", path }, /is not a file of site profiles, or it is damaged/],
	[{ kind: "newer", path }, /exported from a newer version/],
	[{ kind: "read", path, profiles: [], damaged: [] }, /contains no profiles/],
	[{ kind: "read", path, profiles: [], damaged: ["Upland"] }, /1 profile in the file cannot be read: Upland/],
])("%j gets a clear answer and leaves the choice", async (file, says) => {
	await opened(file);
	expect(await screen.findByRole("alert")).toHaveTextContent(says);
	expect(screen.getByRole("button", { name: "Choose file" })).toBeEnabled();
});
