import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serverOf } from "@/lib/target";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { ServiceData } from "./service-data";

function show(
	service: string,
	options: Exclude<NonNullable<Parameters<typeof renderWith>[1]>, { listSites: unknown }> = {},
) {
	const { site, world } = signedInSite();
	return renderWith(
		<WithPlace>
			<ServiceData target={serverOf(site)} service={service} />
		</WithPlace>,
		{ ...options, world: { ...world, ...options.world } },
	);
}

const find = (service: string) =>
	screen.findByRole("button", { name: `Read required items from the manifest: ${service}` });

it("leads from a service to the items it needs, with their last verdict", async () => {
	const path = "/enterpriseDatabases/parcels";
	const at = Date.now();
	const invalid = { path, at, verdict: "invalid" as const, reasons: [], machines: [], validAt: null };
	const itemValidations = new Map([["city", new Map([[path, invalid]])]]);
	const { user } = show("Parcels/Zoning.MapServer", { world: { itemValidations } });
	await user.click(await find("Parcels/Zoning.MapServer"));
	expect(await screen.findByText("Data store items of Parcels/Zoning.MapServer:")).toBeVisible();
	expect(screen.getByText("Not valid")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: `Show ${path} in the data store items` }));
	expect(screen.getByTestId("place")).toHaveTextContent("find_items");
});

it("says where data is that belongs to no item", async () => {
	const { user } = show("Basemap.MapServer");
	await user.click(await find("Basemap.MapServer"));
	expect(await screen.findByText("Data for which no data store item was found:")).toBeVisible();
	expect(screen.getByRole("listitem")).toHaveTextContent("D:\\gis\\data");
});

it("says that a service has no manifest", async () => {
	const { user } = show("Routing.NAServer");
	await user.click(await find("Routing.NAServer"));
	expect(await screen.findByText("The manifest was not found.")).toBeVisible();
});
