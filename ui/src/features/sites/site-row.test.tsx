import { screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { fakeBackend } from "@/bridge/fake-backend";
import { renderWith, signedInSite } from "@/test/render";
import { SitesPage } from "./sites-page";

const named = vi.hoisted(() => vi.fn());

// Alone in its file: beside another mock, neither is used once a file before has loaded what imports it.
vi.mock("@/components/site-dot", async (original) => {
	const { SiteDot } = await original<typeof import("@/components/site-dot")>();
	return {
		SiteDot: (props: Parameters<typeof SiteDot>[0]) => {
			// After each drawing.
			useEffect(() => named());
			return SiteDot(props);
		},
	};
});

test("the name of a site is not drawn again for what is known of it", async () => {
	const { site, world } = signedInSite();
	const sites = Array.from({ length: 40 }, (_, at) => ({ ...site, id: `site-${at}`, name: `Site ${at}` }));
	renderWith(<SitesPage sites={sites} practiceOffer={null} />, fakeBackend({ world: { ...world, sites } }));
	await waitFor(() => expect(screen.getAllByText("Nothing recorded")).toHaveLength(sites.length));
	expect(named).toHaveBeenCalledTimes(sites.length);
});
