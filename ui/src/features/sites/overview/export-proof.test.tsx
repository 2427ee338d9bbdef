import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ExportState } from "@/bridge";
import { operationUis } from "@/operations";
import { renderWith, signedInSite } from "@/test/render";
import { SiteOverview } from "./site-overview";

const day = 24 * 3_600_000;

function show(exportState: ExportState, at = Date.now() - 41 * day) {
	const { site, session, world } = signedInSite();
	const exported = { ...site, serverExport: at };
	renderWith(<SiteOverview site={exported} session={session} operationUis={operationUis} />, {
		world: { ...world, sites: [exported], exportState },
	});
}

it("wants attention for an export that is old and was never verified", async () => {
	show({ verified: null, partlyVerified: null, rehearsed: null });
	expect(await screen.findByText(/^The server was exported .*, and no export of it was verified\.$/)).toBeVisible();
	expect(screen.getByText("No server export verified")).toBeVisible();
	expect(screen.getByText("Server import never rehearsed on a test or practice site")).toBeVisible();
});

it("says when an export was verified, and where it was rehearsed", async () => {
	const rehearsed = { at: Date.now() - 41 * day, site: "test", siteName: "City test" };
	show({ verified: Date.now() - day, partlyVerified: null, rehearsed }, Date.now() - day);
	expect(await screen.findByText(/^Last verified server export:/)).toBeVisible();
	expect(screen.getByText(/^Last rehearsed on City test/)).toBeVisible();
	expect(screen.queryByText(/no export of it was verified/)).toBeNull();
});

it("does not count an export as verified whose entries could not all be verified, and says how many", async () => {
	show({ verified: null, partlyVerified: { at: Date.now() - day, unverifiedEntries: 3 }, rehearsed: null });
	expect(await screen.findByText("No server export verified")).toBeVisible();
	expect(screen.getByText(/^3 entries of a server export could not be verified:/)).toBeVisible();
});
