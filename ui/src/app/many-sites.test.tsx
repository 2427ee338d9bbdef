import { screen, waitFor } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { i18n } from "@/messages/i18n";
import { renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

test("of many sites each row is drawn for its name and for its facts, and not for a key of the palette", async () => {
	// Each row of the list translates its label whenever it is drawn.
	const translated = vi.spyOn(i18n, "t");
	const rows = () => translated.mock.calls.filter(([key]) => String(key).includes("card.openLabel")).length;
	const { site, world } = signedInSite();
	const sites = Array.from({ length: 40 }, (_, at) => ({ ...site, id: `site-${at}`, name: `Site ${at}` }));
	const { user } = renderWith(<App />, fakeBackend({ world: { ...world, sites } }));
	expect(await screen.findByText("Site 39", {}, { timeout: 10_000 })).toBeVisible();
	await user.keyboard("{Control>}k{/Control}");
	const field = await screen.findByLabelText("Search sites, operations, pages, and actions");
	await waitFor(() => expect(field).toHaveFocus());
	expect(rows()).toBeGreaterThanOrEqual(sites.length);
	// Once for its name, once for its facts, and once more, because React can discard a rendering and start over.
	expect(rows()).toBeLessThanOrEqual(3 * sites.length + 2);
	translated.mockClear();
	await user.keyboard("site 3");
	expect(field).toHaveValue("site 3");
	expect(rows()).toBe(0);
});
