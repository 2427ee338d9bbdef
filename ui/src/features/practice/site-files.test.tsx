import { screen, waitFor } from "@testing-library/react";
import { practiceSite } from "@/bridge/fake-backend/world";
import { axeFindings, renderWith } from "@/test/render";
import { SiteFiles } from "./practice-page";

const world = { sites: [practiceSite()], practiceRunning: true };

it("has the practice site accept exports as uploads, and refuse them again", async () => {
	const { user, backend } = renderWith(<SiteFiles />, { world });
	const accepts = await screen.findByRole("switch", { name: "Accept .agssite uploads" });
	expect(accepts).not.toBeChecked();
	await user.click(accepts);
	await waitFor(async () => expect((await backend.practice())?.acceptsSiteFiles).toBe(true));
	expect(accepts).toBeChecked();
	await user.click(accepts);
	await waitFor(async () => expect((await backend.practice())?.acceptsSiteFiles).toBe(false));
	expect(await axeFindings()).toEqual([]);
});

it("says when it could not be changed, and shows what is so", async () => {
	const fail = { acceptSiteFiles: { kind: "unexpected", message: "database is locked" } } as const;
	const { user } = renderWith(<SiteFiles />, { world, fail });
	const accepts = await screen.findByRole("switch", { name: "Accept .agssite uploads" });
	await user.click(accepts);
	expect(await screen.findByRole("alert")).toBeVisible();
	expect(accepts).not.toBeChecked();
});

it("is not offered while the practice site does not run", async () => {
	const { backend } = renderWith(<SiteFiles />, { world: { ...world, practiceRunning: false } });
	expect(await backend.practice()).toBeNull();
	expect(screen.queryByRole("switch")).toBeNull();
});
