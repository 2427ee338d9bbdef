import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import type { HelpTopic } from "@/lib/help";
import { usualPreferences } from "@/lib/preferences";
import { speak } from "@/messages/i18n";
import { axeFindings, fill, renderWith } from "@/test/render";
import HelpPage from "./help-page";

afterEach(() => speak("en"));

function Help({ first = "start", onBack = null }: { first?: HelpTopic; onBack?: (() => void) | null }) {
	const [topic, setTopic] = useState<HelpTopic>(first);
	return <HelpPage topic={topic} onTopic={setTopic} onBack={onBack} />;
}

const article = async (name: string) => {
	const title = await screen.findByRole("heading", { level: 2, name }, { timeout: 10_000 });
	return title.closest("article") ?? title;
};

test("a page shows its text and its pictures, and takes the focus", async () => {
	renderWith(<Help first="export-portal" />);
	const page = await article("Export a portal");
	expect(page).toHaveFocus();
	expect(within(page).getByText("Before you begin")).toBeVisible();
	expect(within(page).getByRole("img", { name: /Portal → Folder.*writes the export file/ })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

test("a page about a problem or an outcome shows it as the window does, to be looked at only", async () => {
	const shown = renderWith(<Help first="problem-too-old" />);
	const example = () => document.querySelector<HTMLElement>("article figure [inert]");
	await waitFor(() => expect(example()).toHaveTextContent("equires version 11.1"));
	expect(await axeFindings()).toEqual([]);
	shown.unmount();
	renderWith(<Help first="outcome-warnings" />);
	await waitFor(() => expect(example()).toHaveTextContent("3 services did not start"));
	expect(screen.queryByRole("alert")).toBeNull();
});

test("links and contents lead to other pages", async () => {
	const { user } = renderWith(<Help first="export-portal" />);
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
	const onBack = vi.fn();
	const { user } = renderWith(<Help onBack={onBack} />);
	await user.click(screen.getByRole("button", { name: "Back" }));
	expect(onBack).toHaveBeenCalledOnce();
});

test("in another language the pages are in that language, and accents do not matter to the search", async () => {
	await speak("de");
	const preferences = { preferences: { ...usualPreferences, language: "de" as const }, setAside: [], policy: null };
	const { user } = renderWith(<Help first="problem-keyring" />, {}, preferences);
	await article("Der Schlüsselbund kann nicht verwendet werden");
	await fill(user, screen.getByRole("searchbox"), "schlusselbund");
	expect(screen.getByRole("navigation", { name: "Suchergebnisse" })).toHaveTextContent(
		"Der Schlüsselbund kann nicht verwendet werden",
	);
});
