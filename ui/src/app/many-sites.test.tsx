import { screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { fakeBackend } from "@/bridge/fake-backend";
import { renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const drawn = vi.hoisted(() => vi.fn());

vi.mock("@/features/sites/site-row", async (original) => {
	const { SiteRow } = await original<typeof import("@/features/sites/site-row")>();
	return {
		SiteRow: (props: Parameters<typeof SiteRow>[0]) => {
			// Counts rows on screen only: React can discard a rendering and start over, and runs no effects of a
			// discarded one.
			useEffect(() => drawn());
			return SiteRow(props);
		},
	};
});

test("of many sites each row is drawn for its name and for its facts, and not for a key of the palette", async () => {
	const { site, world } = signedInSite();
	const sites = Array.from({ length: 40 }, (_, at) => ({ ...site, id: `site-${at}`, name: `Site ${at}` }));
	const { user } = renderWith(<App />, fakeBackend({ world: { ...world, sites } }));
	expect(await screen.findByText("Site 39", {}, { timeout: 10_000 })).toBeVisible();
	await user.keyboard("{Control>}k{/Control}");
	const field = await screen.findByLabelText("Search sites, operations, pages, and actions");
	await waitFor(() => expect(field).toHaveFocus());
	expect(drawn.mock.calls.length).toBeLessThanOrEqual(2 * sites.length + 2);
	drawn.mockClear();
	await user.keyboard("site 3");
	expect(field).toHaveValue("site 3");
	expect(drawn).not.toHaveBeenCalled();
});
