import { notifications } from "@mantine/notifications";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import { type GuidedTourStep, newRun, operations } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { i18n, speak } from "@/messages/i18n";
import { axeFindings, fill, lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const sidebar = () => within(screen.getByRole("navigation", { name: "Site and operations" }));
const bar = () => within(screen.getByRole("banner"));

/** Opens the window at a site where a user is signed in. */
function openAtSite(role = "administrator", options: MemoryOptions = {}) {
	const world = { preferences: lastAt("city"), ...signedInSite(role).world, ...options.world };
	return renderWith(<App />, { ...options, world });
}

afterEach(() => notifications.clean());

describe("the first screen", () => {
	test("offers to practise and to add a site, and nothing else", async () => {
		renderWith(<App />);
		await heading("Welcome to Site Steward");
		expect(screen.getByRole("button", { name: "Start practice site" })).toBeEnabled();
		expect(screen.getByRole("button", { name: "Add site" })).toBeEnabled();
		expect(screen.queryByRole("navigation")).not.toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);
	});

	test("one click leads into practice, as its administrator, inside the frame", async () => {
		const { user } = renderWith(<App />);
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await heading("Overview");
		expect(screen.getByRole("note")).toHaveTextContent("Practice site: nothing here affects a real site");
		expect(bar().getByRole("button", { name: "practice-admin (administrator)" })).toBeInTheDocument();
		expect(document.title).toBe("Practice · Site Steward");
		expect(await axeFindings()).toEqual([]);
	});

	test("the guided tour is on the pages of its steps, and reads what a comparison there completed", async () => {
		const world = { guidedTour: { begun: null, folded: false, seen: [] as GuidedTourStep[] } };
		const { user, backend } = renderWith(<App />, { world });
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await heading("Overview");
		const tour = async () => within(await screen.findByRole("complementary", { name: "Guided tour" }));
		await user.click(sidebar().getByRole("button", { name: "Backup plans" }));
		expect(await (await tour()).findByText("Begin a rehearsal")).toBeVisible();
		await user.click(sidebar().getByRole("button", { name: "Changes" }));
		expect(await (await tour()).findByText(/^Select “Take snapshot”/)).toBeVisible();

		const compare = backend.compareSnapshots.bind(backend);
		vi.spyOn(backend, "compareSnapshots").mockImplementation(async (compared) => {
			world.guidedTour.seen.push("takeSnapshot", "findChange");
			return compare(compared);
		});
		for (const shown of ["One snapshot", "No changes"]) {
			await user.click(await screen.findByRole("button", { name: "Take snapshot" }));
			await screen.findByText(shown);
		}
		expect(await (await tour()).findByText(/^Open a row, enter a reason/)).toBeVisible();
	});

	test("a practice site that cannot start says why", async () => {
		const { user } = renderWith(<App />, { fail: { startPractice: { kind: "unexpected", message: "no port" } } });
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		expect(await screen.findByRole("alert", { name: /The app encountered an error/ })).toBeInTheDocument();
	});
});

describe("sites", () => {
	test("a site is added from the first screen, and leads to its overview", async () => {
		const { user } = renderWith(<App />);
		await user.click(await screen.findByRole("button", { name: "Add site" }));
		await heading("Add site");
		await user.type(screen.getByLabelText("Site URL"), "gis.example.org{Enter}");
		await user.click(await screen.findByRole("button", { name: "Add site" }));
		await fill(user, await screen.findByLabelText("User name"), "gisadmin");
		await user.type(screen.getByLabelText("Password", { selector: "input" }), "right{Enter}");
		await user.click(await screen.findByRole("button", { name: "Go to overview" }));
		await heading("Overview");
		expect(bar().getByText("City of Northbridge")).toBeInTheDocument();
	});

	test("whoever adds a site out of practice does so outside its frame", async () => {
		const { user } = renderWith(<App />);
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await heading("Overview");
		await user.click(screen.getByRole("button", { name: "Select a site: Practice" }));
		await user.click(await screen.findByRole("menuitem", { name: "Add site" }));
		await heading("Add site");
		expect(screen.queryByText("Practice site: nothing here affects a real site")).toBeNull();
		expect(bar().queryByText("Practice")).toBeNull();
		expect(document.title).toBe("Site Steward");
	});

	test("a refused sign-in shows the site's words, a right one leads in", async () => {
		const { user } = renderWith(<App />, {
			world: { preferences: lastAt("city"), sites: signedInSite().world.sites ?? [] },
		});
		await heading("Sign in to City GIS");
		expect(await screen.findByLabelText("User name")).toHaveValue("gisadmin");
		await fill(user, screen.getByLabelText("Password", { selector: "input" }), "wrong");
		await user.click(screen.getByRole("button", { name: "Sign in" }));
		expect(await screen.findByRole("alert", { name: "The site rejected the request" })).toHaveTextContent(
			"Invalid username or password.",
		);
		await user.clear(screen.getByLabelText("Password", { selector: "input" }));
		await fill(user, screen.getByLabelText("Password", { selector: "input" }), "right");
		await user.click(screen.getByRole("button", { name: "Sign in" }));
		await heading("Overview");
	});

	test("a keyring that fails is said beside the sign-in", async () => {
		openAtSite("administrator", { fail: { session: { kind: "keyring", state: "locked", message: "" } } });
		expect(await screen.findByRole("alert", { name: "The keyring is locked" })).toBeInTheDocument();
	});

	test("the list of all sites stands beside no site: neither its pages nor its name", async () => {
		const { user } = openAtSite();
		await user.click(await screen.findByRole("button", { name: "Select a site: City GIS" }));
		await user.click(await screen.findByRole("menuitem", { name: "All sites" }));
		await heading("All sites");
		expect(sidebar().getByRole("button", { name: "Select a site: All sites" })).toBeVisible();
		expect(sidebar().queryByRole("button", { name: "Server import" })).toBeNull();
		expect(document.title).toBe("Site Steward");
		await user.click(sidebar().getByRole("button", { name: "History" }));
		await heading("History");
		expect(sidebar().getByRole("button", { name: "Server import" })).toBeVisible();
	});

	test("the list keeps the practice offer; a site is edited and removed after a question", async () => {
		const { user, backend } = openAtSite();
		await user.click(await screen.findByRole("button", { name: "Select a site: City GIS" }));
		await user.click(await screen.findByRole("menuitem", { name: "All sites" }));
		await heading("All sites");
		expect(screen.getByRole("button", { name: "Start practice site" })).toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);

		await user.click(screen.getByRole("button", { name: "More commands for City GIS" }));
		await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
		await heading("Edit City GIS");
		await user.type(screen.getByLabelText("Name"), " 2");
		await user.click(screen.getByRole("button", { name: "Save" }));
		await heading("Overview");

		await user.click(screen.getByRole("button", { name: "Select a site: City GIS 2" }));
		await user.click(await screen.findByRole("menuitem", { name: "All sites" }));

		await user.click(screen.getByRole("button", { name: "More commands for City GIS 2" }));
		await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
		await fill(user, await screen.findByLabelText(/^Reason/), "Replaced by the new portal");
		await user.click(screen.getByRole("button", { name: "Remove site" }));
		await heading("Welcome to Site Steward");
		expect((await backend.preferences()).preferences.lastSite).toBeNull();
	});
});

describe("at a site", () => {
	test("the bar says where one is, and as whom", async () => {
		openAtSite();
		await heading("Overview");
		expect(bar().getByText("City GIS")).toBeInTheDocument();
		expect(bar().getByText("Production")).toBeInTheDocument();
		expect(bar().getByText("portal 11.3 · server 11.3")).toBeInTheDocument();
		expect(bar().getByText(/^Token (1 h|59 min)$/)).toBeInTheDocument();
		expect(document.title).toBe("City GIS · Production · Site Steward");
	});

	test("all operations stand in their groups", async () => {
		openAtSite();
		await heading("Overview");
		for (const { key } of operations) {
			const name = i18n.t(`operation.${key}.nav`);
			expect(sidebar().getByRole("button", { name })).toBeInTheDocument();
		}
		// The group also contains the page of the backup plans.
		const backup = within(sidebar().getByRole("group", { name: "Backup" }));
		expect(backup.getAllByRole("button")).toHaveLength(5);
		const groups = sidebar()
			.getAllByRole("group")
			.map((group) => group.getAttribute("aria-label"));
		expect(groups).toEqual(["Backup", "Services and data", "Collaboration"]);
		expect(await axeFindings()).toEqual([]);
	});

	test("what a role may not do is greyed with the reason, and leads to another sign-in", async () => {
		const { user } = openAtSite("publisher");
		await heading("Overview");
		const link = sidebar().getByRole("button", { name: "Portal export" });
		expect(link).toHaveAccessibleDescription("unavailable: Requires the default administrator role.");
		await user.click(link);
		expect(await screen.findByRole("heading", { name: "Not available for this account" })).toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);
		await user.click(screen.getByRole("button", { name: "Sign in with another account" }));
		expect(await screen.findByRole("dialog", { name: "Sign in to City GIS" })).toBeInTheDocument();
	});

	test("the sidebar shows where one is, also when the window becomes lower", async () => {
		const { user } = openAtSite();
		await heading("Overview");
		await user.click(sidebar().getByRole("button", { name: "Settings" }));
		await heading("Settings");
		const shown = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
		window.innerHeight = 300;
		fireEvent(window, new Event("resize"));
		await waitFor(() => expect(shown.mock.contexts).toEqual([sidebar().getByRole("button", { name: "Settings" })]));
	});

	test("the sidebar still shows where one is in a language whose words take more lines", async () => {
		const { user } = openAtSite();
		await heading("Overview");
		await user.click(sidebar().getByRole("button", { name: "Settings" }));
		await heading("Settings");
		const shown = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
		await act(() => speak("es"));
		const link = within(screen.getByRole("navigation")).getByRole("button", { name: "Configuración" });
		await waitFor(() => expect(shown.mock.contexts).toContain(link));
	});

	test("the sidebar shows where one is, also when its list becomes lower", async () => {
		const resized = new Set<() => void>();
		class Sizes {
			constructor(private readonly changed: () => void) {}
			observe(target: Element) {
				if (target.hasAttribute("data-links")) resized.add(this.changed);
			}
			unobserve() {}
			disconnect() {
				resized.delete(this.changed);
			}
		}
		vi.stubGlobal("ResizeObserver", Sizes);
		const { user } = openAtSite();
		await heading("Overview");
		await user.click(sidebar().getByRole("button", { name: "Webhooks" }));
		const link = sidebar().getByRole("button", { name: "Webhooks" });
		const shown = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
		for (const changed of resized) changed();
		expect(shown.mock.contexts).toEqual([link]);
	});

	test("signing out asks to sign in again", async () => {
		const { user } = openAtSite();
		await user.click(await screen.findByRole("button", { name: "gisadmin (administrator)" }));
		await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
		await heading("Sign in to City GIS");
	});

	test("a sign-out that the keyring refused is said", async () => {
		const { user } = openAtSite("administrator", {
			fail: { signOut: { kind: "keyring", state: "locked", message: "" } },
		});
		await user.click(await screen.findByRole("button", { name: "gisadmin (administrator)" }));
		await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
		const said = await screen.findByRole("alert");
		expect(said).toHaveTextContent("Could not sign out of City GIS");
		expect(said).toHaveTextContent("Your session is saved in the system keyring, which is locked.");
		expect(screen.getByRole("button", { name: "gisadmin (administrator)" })).toBeVisible();
	});

	test("practice is entered as any of its people, without a password", async () => {
		const { user } = renderWith(<App />);
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await user.click(await screen.findByRole("button", { name: "practice-admin (administrator)" }));
		await user.click(await screen.findByRole("menuitem", { name: "Sign in with another account" }));
		await user.click(await screen.findByRole("button", { name: /^practice-viewer/ }));
		expect(await screen.findByRole("button", { name: "practice-viewer (viewer)" })).toBeInTheDocument();
		expect(document.querySelector("input[type=password]")).toBeNull();
	});

	test("a practice site that does not run is started from its own page", async () => {
		const { user } = renderWith(<App />);
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await user.click(await screen.findByRole("button", { name: "Select a site: Practice" }));
		await user.click(await screen.findByRole("menuitem", { name: "All sites" }));
		await user.click(await screen.findByRole("button", { name: "More commands for Practice" }));
		// The practice site can be edited: its color and whether it is read-only.
		expect(await screen.findByRole("menuitem", { name: "Edit" })).toBeVisible();
		await user.click(await screen.findByRole("menuitem", { name: "Stop practice site" }));
		await user.click(await screen.findByRole("button", { name: "Open Practice" }));
		await heading("Sign in to Practice");
		await user.click(await screen.findByRole("button", { name: "Start practice site" }));
		await heading("Overview");
	});
});

describe("runs", () => {
	async function running() {
		const backend = fakeBackend({ world: signedInSite().world, endless: ["exportPortal"] });
		const ended = backend.exportPortal("city", newRun("r"), {
			target: { kind: "folder", location: "/srv" },
			checkOnly: false,
		});
		await vi.waitFor(async () => expect((await backend.listRuns()).running).toHaveLength(1));
		return { ended, ...renderWith(<App />, backend) };
	}

	test("what runs is shown on every screen, and stopping is explained before it is done", async () => {
		const { user, ended } = await running();
		const dock = within(await screen.findByRole("region", { name: "Operations panel" }));
		await waitFor(() => expect(dock.getByRole("status")).toHaveTextContent("The site is processing the request"));
		expect(dock.getByRole("timer", { name: "Elapsed time" })).toHaveTextContent(/^0:\d\d$/);
		await user.click(sidebar().getByRole("button", { name: "History" }));
		await heading("History");
		await user.click(dock.getByRole("button", { name: "Stop waiting for Portal export on City GIS" }));
		const question = within(await screen.findByRole("dialog", { name: "Stop waiting for Portal export on City GIS?" }));
		expect(question.getByText(/might still complete the request/)).toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);
		await user.click(question.getByRole("button", { name: "Stop waiting" }));
		expect(await ended).toMatchObject({ kind: "unknown", stopped: true });
		expect(await dock.findByRole("button", { name: "Check outcome of Portal export on City GIS" })).toBeVisible();
		await user.click(dock.getByRole("button", { name: "Dismiss Portal export on City GIS" }));
		await waitFor(() => expect(screen.queryByRole("region", { name: "Operations panel" })).not.toBeInTheDocument());
	});
});

describe("settings", () => {
	test("hold the theme and where things are kept", async () => {
		const { user } = openAtSite();
		await heading("Overview");
		await user.click(sidebar().getByRole("button", { name: "Settings" }));
		await heading("Settings");
		await user.click(screen.getByRole("radio", { name: "Dark" }));
		expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark");
		expect(await screen.findByText("Site Steward 0.1.0")).toBeInTheDocument();
		expect(screen.getByText("/home/sam/.local/share/site-steward")).toBeInTheDocument();
		expect(await axeFindings()).toEqual([]);
	});
});
