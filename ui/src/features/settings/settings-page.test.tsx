import { act, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { vi } from "vitest";
import type { Backend, Preferences, PreferencesView, Problem } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { speak } from "@/messages/i18n";
import { axeFindings, fill, renderWith } from "@/test/render";
import { SettingsPage } from "./settings-page";

afterEach(() => speak("en"));

const section = (name: string) => within(screen.getByRole("region", { name }));

function open(backend: Backend = fakeBackend()) {
	return { ...renderWith(<SettingsPage site={null} />, backend), backend };
}

const kept = async (backend: Backend) => (await backend.preferences()).preferences;

test("the theme, the size and the language hold at once and are kept", async () => {
	const { user, backend } = open();
	await user.click(section("Appearance").getByRole("radio", { name: "Dark" }));
	expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark");
	await user.click(screen.getByRole("combobox", { name: "Zoom" }));
	await user.click(await screen.findByRole("option", { name: "150%" }));
	await user.click(screen.getByRole("combobox", { name: "Language" }));
	await user.click(await screen.findByRole("option", { name: "Deutsch" }));
	await waitFor(async () => expect(await kept(backend)).toMatchObject({ theme: "dark", zoom: 150, language: "de" }));
	await waitFor(() => expect(document.documentElement.lang).toBe("de"));
});

test("notifications and reminders can be switched off", async () => {
	const { user, backend } = open();
	await user.click(screen.getByRole("switch", { name: /^Notify me when an operation finishes/ }));
	await user.click(screen.getByRole("switch", { name: /^Show reminders/ }));
	await waitFor(async () => expect(await kept(backend)).toMatchObject({ notifications: false, reminders: false }));
	expect(await axeFindings()).toEqual([]);
});

test("a proxy that is none is a fault under its field; a right one is saved", async () => {
	const fail: MemoryOptions["fail"] = { savePreferences: wrong("connection.route.address", "notAnAddress") };
	const { user, backend } = open(fakeBackend({ fail }));
	const connection = section("Connection");
	await user.click(connection.getByRole("radio", { name: "Use this proxy" }));
	const address = connection.getByLabelText("Proxy URL");
	await fill(user, address, "proxy");
	await user.click(connection.getByRole("button", { name: "Save connection" }));
	await waitFor(() => expect(address).toBeInvalid());
	expect(address).toHaveAccessibleDescription(/Enter a complete URL/);
	expect(await axeFindings()).toEqual([]);
	delete fail.savePreferences;
	await user.clear(address);
	await fill(user, address, "http://proxy.example.org:3128");
	await fill(user, connection.getByLabelText("Hosts without proxy (optional)"), "localhost, gis.example.org");
	await user.click(connection.getByRole("button", { name: "Save connection" }));
	expect(await connection.findByText(/^Saved the connection settings\./)).toBeInTheDocument();
	expect((await kept(backend)).connection.route).toEqual({
		kind: "proxy",
		address: "http://proxy.example.org:3128",
		user: "",
		exceptions: ["localhost", "gis.example.org"],
	});
});

/**
 * Backend that stores the password of one proxy, like the app, and whose keyring responds when the test releases it.
 */
function withKeyring(waitForKeyring: () => Promise<unknown>) {
	const real = fakeBackend();
	const keyring: { password: string | null } = { password: null };
	const proxyOf = ({ connection: { route } }: Preferences) => (route.kind === "proxy" ? route.address : null);
	const savePreferences: Backend["savePreferences"] = async (wanted, password) => {
		const before = await kept(real);
		if (password !== null) await waitForKeyring();
		if (password !== null) keyring.password = password;
		else if (proxyOf(before) !== proxyOf(wanted)) keyring.password = null;
		return real.savePreferences(wanted, password);
	};
	return { backend: { ...real, savePreferences }, keyring };
}

async function typeProxy(user: ReturnType<typeof open>["user"], password: string) {
	const connection = section("Connection");
	await user.click(connection.getByRole("radio", { name: "Use this proxy" }));
	await fill(user, connection.getByLabelText("Proxy URL"), "http://proxy.example.org:3128");
	await user.type(connection.getByLabelText(/^Proxy password/), password);
	await user.click(connection.getByRole("button", { name: "Save connection" }));
}

test("a theme that is chosen while the keyring takes its time changes nothing of the connection that is being saved", async () => {
	let answer = () => {};
	const { backend, keyring } = withKeyring(() => new Promise<void>((resolve) => (answer = resolve)));
	const { user } = open(backend);
	await typeProxy(user, "seven seas");
	const fields = section("Connection");
	expect(fields.getByLabelText("Proxy URL")).toBeDisabled();
	await user.click(section("Appearance").getByRole("radio", { name: "Dark" }));
	expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark");
	await act(async () => answer());
	expect(await fields.findByText(/^Saved the connection settings\./)).toBeInTheDocument();
	await waitFor(async () => expect((await kept(backend)).theme).toBe("dark"));
	expect((await kept(backend)).connection.route).toMatchObject({ address: "http://proxy.example.org:3128" });
	expect(keyring.password).toBe("seven seas");
	expect(fields.getByLabelText(/^Proxy password/)).toHaveValue("");
});

/** Settings page that can be left and opened again. */
function Leaving() {
	const [there, setThere] = useState(true);
	return (
		<>
			<button type="button" onClick={() => setThere(!there)}>
				{there ? "Leave" : "Enter"}
			</button>
			{there ? <SettingsPage site={null} /> : null}
		</>
	);
}

test("a connection that the keyring refused is said to whoever left meanwhile, and keeps no theme from being kept", async () => {
	const denied: Problem = { kind: "keyring", state: "locked", message: "denied" };
	let refuse = () => {};
	const { backend } = withKeyring(() => new Promise<void>((_, reject) => (refuse = () => reject(denied))));
	const { user } = renderWith(<Leaving />, backend);
	await typeProxy(user, "seven seas");
	await user.click(section("Appearance").getByRole("radio", { name: "Dark" }));
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await act(async () => refuse());
	await waitFor(async () => expect((await kept(backend)).theme).toBe("dark"));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	const connection = section("Connection");
	expect(connection.getByRole("alert")).toBeVisible();
	expect(connection.getByLabelText("Proxy URL")).toHaveValue("http://proxy.example.org:3128");
	expect(connection.getByRole("button", { name: "Save connection" })).toBeEnabled();
	expect((await kept(backend)).connection.route).toEqual({ kind: "system" });
	expect(await axeFindings()).toEqual([]);
});

test("the certificate of an authority comes from the system's dialog, and is kept once it is saved", async () => {
	const { user, backend } = open();
	const connection = section("Connection");
	await user.click(connection.getByRole("button", { name: "Choose CA certificate" }));
	const chosen = "/home/sam/certificates/city-root-ca.pem";
	await waitFor(() => expect(connection.getByLabelText(/^CA certificate/)).toHaveValue(chosen));
	expect((await kept(backend)).connection.caCertificate).toBe("");
	await user.click(connection.getByRole("button", { name: "Save connection" }));
	await waitFor(async () => expect((await kept(backend)).connection.caCertificate).toBe(chosen));
});

test("settings that could not be read are said, with where they are now", async () => {
	const { preferences } = await fakeBackend().preferences();
	const path = "/home/sam/.local/share/site-steward/preferences-unreadable-2026-11-20T21-40-00Z.json";
	renderWith(
		<SettingsPage site={null} />,
		{},
		{ preferences, setAside: [{ what: "preferences", path, isEmpty: false }], policy: null },
	);
	expect(screen.getByText("Your settings could not be read")).toBeInTheDocument();
	expect(screen.getByText(path)).toBeInTheDocument();
});

test("data of a version before the first release is said, with where it is now", async () => {
	const { preferences } = await fakeBackend().preferences();
	const path = "/home/sam/.local/share/site-steward/before-release-2026-11-20T21-40-00Z";
	renderWith(
		<SettingsPage site={null} />,
		{},
		{ preferences, setAside: [{ what: "beforeRelease", path, isEmpty: false }], policy: null },
	);
	expect(screen.getByText("Earlier data was set aside")).toBeInTheDocument();
	expect(screen.getByText(path)).toBeInTheDocument();
});

test("each file that could not be read is said, with where it is", async () => {
	const { preferences } = await fakeBackend().preferences();
	const whats = [
		"equalSites",
		"uploads",
		"invitation",
		"filters",
		"validations",
		"guidedTour",
		"reminders",
		"plans",
		"planProgress",
		"alerts",
		"toldAlerts",
		"seenPlans",
		"restores",
		"window",
	] as const;
	const setAside = whats.map((what) => ({ what, path: `/home/sam/${what}.json`, isEmpty: what === "plans" }));
	renderWith(<SettingsPage site={null} />, {}, { preferences, setAside, policy: null });
	const notices = screen.getAllByRole("status").filter((one) => one.textContent.includes("/home/sam/"));
	expect(new Set(notices.map((one) => one.textContent)).size).toBe(whats.length);
	expect(screen.getByRole("status", { name: "An unsaved invitation could not be read" })).toHaveTextContent(
		/Refresh the invitation again\..*\/home\/sam\/invitation\.json/,
	);
	expect(await axeFindings()).toEqual([]);
});

test("a file that could not be read is shown until a user has marked it as resolved", async () => {
	const { preferences } = await fakeBackend().preferences();
	const setAside = [
		{ what: "plans" as const, path: "/home/sam/plans-unreadable.json", isEmpty: true },
		{ what: "alerts" as const, path: "/home/sam/alerts-unreadable.json", isEmpty: false },
	];
	const view = { preferences, setAside, policy: null };
	const { user } = renderWith(<SettingsPage site={null} />, fakeBackend({ world: { preferences: view } }), view);
	const plans = screen.getByRole("status", { name: "The backup plans could not be read" });
	expect(plans).toHaveTextContent(/The file was missing or empty\./);
	await user.click(screen.getByRole("button", { name: "Mark as resolved: The backup plans could not be read" }));
	await waitFor(() => expect(plans).not.toBeInTheDocument());
	expect(screen.getByRole("status", { name: "Channels of alerts could not be read" })).toBeInTheDocument();
});

test("the licenses of all parts are shown with their texts", async () => {
	const { user } = open();
	await user.click(await screen.findByRole("button", { name: "Show licenses" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Licenses of Site Steward" }));
	expect(await dialog.findByText(/dayjs [\d.]+: MIT[\s\S]*Permission is hereby granted/)).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

/** Opens the settings with a policy of the organization. */
async function under(policy: NonNullable<PreferencesView["policy"]>, decided: Partial<Preferences> = {}) {
	const { preferences } = await fakeBackend().preferences();
	const view = { preferences: { ...preferences, ...decided }, setAside: [], policy };
	const backend = fakeBackend({ world: { preferences: view } });
	return { ...renderWith(<SettingsPage site={null} />, backend, view), backend };
}

const file = "/etc/site-steward/policy.json";

test("a locked setting is shown as such and cannot be changed; the others can", async () => {
	const { user, backend } = await under({
		file,
		locked: ["theme", "reminders"],
		plans: "allowed" as const,
		plansFolder: null,
		faults: [],
	});
	expect(section("Appearance").getByRole("radio", { name: "Dark" })).toBeDisabled();
	expect(section("Appearance").getByText("Managed by your organization")).toBeInTheDocument();
	const reminders = screen.getByRole("switch", { name: /^Show reminders/ });
	expect(reminders).toBeDisabled();
	expect(reminders).toHaveAccessibleDescription(/Managed by your organization/);
	await user.click(screen.getByRole("switch", { name: /^Notify me when an operation finishes/ }));
	await waitFor(async () => expect(await kept(backend)).toMatchObject({ notifications: false, reminders: true }));
	expect(await axeFindings()).toEqual([]);
});

test("under a locked proxy the password can still be typed, and nothing else", async () => {
	const route = { kind: "proxy", address: "http://proxy.example.org:3128/", user: "sam", exceptions: [] } as const;
	const connection = { route: { ...route, exceptions: [] }, caCertificate: "/etc/ssl/organisation.pem" };
	const { user, backend } = await under(
		{ file, locked: ["route", "caCertificate"], plans: "allowed" as const, plansFolder: null, faults: [] },
		{ connection },
	);
	const fields = section("Connection");
	for (const name of ["Proxy URL", "Proxy user name (optional)", "Hosts without proxy (optional)"]) {
		expect(fields.getByLabelText(name)).toHaveAttribute("readonly");
	}
	expect(fields.getByRole("radio", { name: "Connect directly" })).toBeDisabled();
	expect(fields.getByLabelText(/^CA certificate/)).toHaveAttribute("readonly");
	expect(fields.getByRole("button", { name: "Choose CA certificate" })).toBeDisabled();
	const save = vi.spyOn(backend, "savePreferences");
	await fill(user, fields.getByLabelText(/^Proxy password/), "seven seas");
	await user.click(fields.getByRole("button", { name: "Save connection" }));
	expect(await fields.findByText(/^Saved the connection settings\./)).toBeInTheDocument();
	expect(save).toHaveBeenCalledWith(expect.objectContaining({ connection }), "seven seas");
	expect(await axeFindings()).toEqual([]);
});

test("a faulty file of the organisation is named with what is wrong in it", async () => {
	await under({
		file,
		locked: [],
		plans: "allowed" as const,
		plansFolder: null,
		faults: [
			{ kind: "unknownKey", key: "locked.them" },
			{ kind: "badValue", key: "defaults.zoom", said: "invalid type" },
		],
	});
	const notice = within(screen.getByRole("status", { name: "Your organization's policy file contains errors" }));
	expect(notice.getByText("Unknown setting: locked.them")).toBeInTheDocument();
	expect(notice.getByText("Invalid value of defaults.zoom: invalid type")).toBeInTheDocument();
	expect(notice.getByText(file)).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("a proxy that was typed and not saved is there again after another page", async () => {
	const { user } = renderWith(<Leaving />, fakeBackend());
	await user.click(section("Connection").getByRole("radio", { name: "Use this proxy" }));
	await fill(user, section("Connection").getByLabelText("Proxy URL"), "http://proxy.example.org:3128");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(section("Connection").getByLabelText("Proxy URL")).toHaveValue("http://proxy.example.org:3128");
	expect(section("Connection").getByRole("button", { name: "Save connection" })).toBeEnabled();
});

test("the password of a proxy does not stay in memory once its page is left", async () => {
	const { user } = renderWith(<Leaving />, fakeBackend());
	await user.click(section("Connection").getByRole("radio", { name: "Use this proxy" }));
	await fill(user, section("Connection").getByLabelText("Proxy user name (optional)"), "gisproxy");
	await fill(user, section("Connection").getByLabelText("Proxy password (optional)"), "a secret");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(section("Connection").getByLabelText("Proxy user name (optional)")).toHaveValue("gisproxy");
	expect(section("Connection").getByLabelText("Proxy password (optional)")).toHaveValue("");
});
