import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { vi } from "vitest";
import german from "@/messages/de/guided-tour.json";
import english from "@/messages/en/guided-tour.json";

test.each([
	["en", english.title],
	["de", german.title],
] as const)("a page that is opened before its texts are there waits for them, in %s", async (language, title) => {
	// The modules are loaded anew, so that no texts are loaded yet.
	vi.resetModules();
	const { i18n, speak } = await import("@/messages/i18n");
	const { whenShown } = await import("./when-shown");
	await speak(language);
	expect(i18n.exists("title", { ns: "guidedTour" })).toBe(false);

	const Title = whenShown(async () => () => <h1>{i18n.t("title", { ns: "guidedTour" })}</h1>);
	render(
		<Suspense>
			<Title />
		</Suspense>,
	);
	expect(await screen.findByRole("heading")).toHaveTextContent(title);
});

test("a language that is chosen later brings all of its texts", async () => {
	vi.resetModules();
	const { i18n, loadAllTexts, speak } = await import("@/messages/i18n");
	await loadAllTexts();
	await speak("es");
	expect(i18n.getResource("es", "guidedTour", "title")).toEqual(expect.any(String));
});

test("a part that no first screen shows is fetched, with its texts, once that can be used", async () => {
	vi.resetModules();
	const { i18n } = await import("@/messages/i18n");
	const { markStarted } = await import("./started");
	const { afterStart } = await import("./when-shown");
	const fetch = vi.fn(async () => () => <p>{i18n.t("title", { ns: "guidedTour" })}</p>);
	const Part = afterStart(fetch);
	render(
		<Suspense>
			<Part />
		</Suspense>,
	);
	await act(async () => {});
	expect(fetch).not.toHaveBeenCalled();

	markStarted();
	expect(await screen.findByText(english.title)).toBeInTheDocument();
});
