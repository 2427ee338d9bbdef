import { screen, waitFor } from "@testing-library/react";
import type { SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { renderWith, signedInSite } from "@/test/render";
import { SitesPage } from "./sites-page";

test("the name of a site is not drawn again for what is known of it", async () => {
	const { site, world } = signedInSite();
	const sites = Array.from({ length: 40 }, (_, at) => ({ ...site, id: `site-${at}`, name: `Site ${at}` }));
	// Each rendering of a name reads the color of its dot once.
	const drawn = vi.fn(() => site.color);
	const counted = sites.map((one): SiteView => Object.defineProperty({ ...one }, "color", { get: drawn }));
	renderWith(<SitesPage sites={counted} practiceOffer={null} />, fakeBackend({ world: { ...world, sites } }));
	await waitFor(() => expect(screen.getAllByText("Nothing recorded")).toHaveLength(sites.length));
	// React can discard a rendering and start over.
	expect(drawn.mock.calls.length).toBeGreaterThanOrEqual(sites.length);
	expect(drawn.mock.calls.length).toBeLessThan(2 * sites.length);
});
