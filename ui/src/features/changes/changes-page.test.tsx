import { screen, waitFor, within } from "@testing-library/react";
import type { World } from "@/bridge/fake-backend/world";
import { changedWorld, comparison, differenceOf, snapshots } from "@/test/changes";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { ChangesPage } from "./changes-page";

function show(more: Partial<World> = {}) {
	const { site, world } = signedInSite();
	return renderWith(<ChangesPage site={site} />, { world: { ...world, ...changedWorld(site.id), ...more } });
}

const table = () => screen.findByRole("table", { name: "Changes" });
const rowOf = async (name: string) =>
	within(await table())
		.getByText(name)
		.closest("tr") as HTMLElement;

test("a change says what, where, from and to, since when, and that the app did it", async () => {
	const { container } = show();
	const headline = /^3 changes\. Not compared completely: Collaborations/;
	expect(await screen.findByText(headline)).toBeVisible();
	const words = /Differs.*gis\.example\.org.*1.*4.*Server import.*ana/;
	expect(await rowOf("Parcels/Zoning.MapServer")).toHaveTextContent(words);
	expect(await rowOf("/fileShares/aerial")).toHaveTextContent(/Not by the app.*User not reported/);
	expect(await rowOf("Harbor/Tides.MapServer")).toHaveTextContent(/Missing.*Exists.*Not on the server/);
	expect(screen.getByText("Collaborations, Portal: 403 (not permitted)")).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
});

test("what the history does not tell is not called a change by somebody else", async () => {
	show({ comparison: { ...comparison, isHistoryKnown: false } });
	expect(await rowOf("/fileShares/aerial")).toHaveTextContent("Not known");
	expect(screen.queryByText("Not by the app")).toBeNull();
});

test("an opened change shows its fields side by side, and no secret", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("button", { name: "Details of Parcels/Zoning.MapServer" }));
	const fields = await screen.findByRole("table", { name: "Fields of Parcels/Zoning.MapServer" });
	const secret = within(fields).getByText("properties / connection").closest("tr");
	expect(secret).toHaveTextContent("Secret: differs, not shown");
	expect(fields).not.toHaveTextContent("***");
});

test("an accepted change needs a reason, is not counted, is shown on demand, and can be withdrawn", async () => {
	const { user } = show();
	await user.click(await screen.findByRole("button", { name: "Details of Parcels/Zoning.MapServer" }));
	await user.click(screen.getByRole("button", { name: "Accept" }));
	const reason = screen.getByLabelText("Reason to accept Parcels/Zoning.MapServer");
	await waitFor(() => expect(reason).toBeInvalid());
	await fill(user, reason, "CHG-2310");
	await user.click(screen.getByRole("button", { name: "Accept" }));
	expect(await screen.findByText(/^2 changes/)).toBeVisible();
	expect(within(await table()).queryByText("Parcels/Zoning.MapServer")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Show" }));
	expect(await screen.findByText(/^Accepted .* by ana: CHG-2310$/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Withdraw acceptance" }));
	expect(await screen.findByText(/^3 changes/)).toBeVisible();
});

test("a search narrows the rows, and not the headline", async () => {
	const { user } = show();
	await table();
	await fill(user, screen.getByLabelText("Search changes"), "zoning");
	await waitFor(async () => expect(within(await table()).queryByText("/fileShares/aerial")).toBeNull());
	expect(screen.getByText(/^3 changes/)).toBeVisible();
	await fill(user, screen.getByLabelText("Search changes"), "nowhere");
	expect(await screen.findByText("No change matches.")).toBeVisible();
});

test("10,000 changes are shown in pages", async () => {
	const name = (number: number) => `Service${number}.MapServer`;
	const differences = Array.from({ length: 10_000 }, (_, number) => differenceOf("services", name(number)));
	show({ comparison: { ...comparison, differences } });
	expect(await screen.findByText(/^10,000 changes/)).toBeVisible();
	expect(within(await table()).getAllByRole("row").length).toBeLessThan(60);
});

test("without two snapshots, it says what is needed, and takes one", async () => {
	const { user } = show({ snapshots: new Map() });
	expect(await screen.findByText("No snapshots")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Take snapshot" }));
	expect(await screen.findByText("One snapshot")).toBeVisible();
});

test("a snapshot that was not taken is named with the reason, and the earlier ones are compared", async () => {
	const { site } = signedInSite();
	const failed = { id: 3, at: Date.now(), cause: "export" as const, sha256: "", failure: "an import of the site ran" };
	show({ snapshots: new Map([[site.id, { ...snapshots, snapshots: [failed, ...snapshots.snapshots] }]]) });
	expect(await screen.findByText("an import of the site ran")).toBeVisible();
	expect(await table()).toBeVisible();
});

test("volatile fields are shown apart, and can be compared again", async () => {
	const { user, backend } = show();
	const set = vi.spyOn(backend, "setFieldCompared");
	await user.click(await screen.findByRole("button", { name: "1 volatile field is set apart" }));
	await user.click(await screen.findByRole("button", { name: "Compare serverTime" }));
	expect(set).toHaveBeenCalledWith(expect.anything(), "machines", "serverTime", true);
	expect(await screen.findByRole("button", { name: "Set serverTime apart" })).toBeVisible();
});
