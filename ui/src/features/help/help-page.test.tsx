import { screen, waitFor, within } from "@testing-library/react";
import { useEffect } from "react";
import { type Place, useNavigation } from "@/lib/navigation";
import { usualPreferences } from "@/lib/preferences";
import { speak } from "@/messages/i18n";
import { axeFindings, fill, renderWith } from "@/test/render";
import HelpPage from "./help-page";

afterEach(() => speak("en"));

type Page = Omit<Extract<Place, { page: "help" }>, "page">;

function Help({ first = { topic: "start" } }: { first?: Page }) {
	const { place, go } = useNavigation();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the test begins at one page
	useEffect(() => go({ page: "help", ...first }), []);
	return <main>{place.page === "help" ? <HelpPage topic={place.topic} problem={place.problem} /> : null}</main>;
}

const article = async (name: string) => {
	const title = await screen.findByRole("heading", { level: 2, name }, { timeout: 10_000 });
	return title.closest("article") ?? title;
};

test("a page shows its text, and takes the focus", async () => {
	renderWith(<Help first={{ topic: "export-portal" }} />);
	const page = await article("Export a portal");
	expect(page).toHaveFocus();
	expect(within(page).getByText("Before you begin")).toBeVisible();
	expect(within(page).getByText(/^: writes the export file/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a page about an outcome shows it as the window does, to be looked at only", async () => {
	renderWith(<Help first={{ topic: "outcome-warnings" }} />);
	const example = () => document.querySelector<HTMLElement>("article figure [inert]");
	await waitFor(() => expect(example()).toHaveTextContent("3 services did not start"));
	expect(screen.queryByRole("alert")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("a problem leads to its section, and a link in a section to that of another problem", async () => {
	const { user } = renderWith(<Help first={{ topic: "problems", problem: "unreachable" }} />);
	const section = (name: string) => screen.findByRole("heading", { level: 3, name });
	expect(await section("The site cannot be reached")).toHaveFocus();
	await user.click(screen.getByRole("button", { name: "The proxy opened no connection" }));
	await waitFor(async () => expect(await section("The proxy opened no connection")).toHaveFocus());
	expect(await axeFindings()).toEqual([]);
});

test("links and contents lead to other pages", async () => {
	const { user } = renderWith(<Help first={{ topic: "export-portal" }} />);
	await user.click(within(await article("Export a portal")).getByRole("button", { name: "Outcome: Unknown" }));
	await article("Outcome: Unknown");
	const contents = screen.getByRole("navigation", { name: "Contents" });
	expect(within(contents).getByRole("button", { name: "Outcome: Unknown", current: "page" })).toBeVisible();
	await user.click(within(contents).getByRole("button", { name: "Operations" }));
	await user.click(within(contents).getByRole("button", { name: "Import a server site" }));
	await article("Import a server site");
});

test("the search finds every word, whatever its case, and says when there is none", async () => {
	const { user } = renderWith(<Help />);
	await article("Getting started");
	const field = screen.getByRole("searchbox", { name: "Search help" });
	await fill(user, field, "fingerprint");
	const results = screen.getByRole("navigation", { name: "Search results" });
	await user.click(within(results).getByRole("button", { name: /^Trust a certificate/ }));
	await article("Trust a certificate");
	await user.clear(field);
	await user.type(field, "zzz");
	expect(screen.getByText("0 pages")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("somebody who came from elsewhere gets back", async () => {
	const { user } = renderWith(<Help />);
	await user.click(await screen.findByRole("button", { name: "Back" }));
	expect(screen.queryByRole("heading", { name: "Help" })).toBeNull();
});

test("in another language the pages are in that language, and accents do not matter to the search", async () => {
	await speak("de");
	const preferences = { preferences: { ...usualPreferences, language: "de" as const }, setAside: [], policy: null };
	const { user } = renderWith(<Help first={{ topic: "problems", problem: "keyring" }} />, {}, preferences);
	await article("Problembehandlung");
	await fill(user, screen.getByRole("searchbox"), "schlusselbund");
	expect(screen.getByRole("navigation", { name: "Suchergebnisse" })).toHaveTextContent("Problembehandlung");
});
