import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { axeFindings, renderWith } from "@/test/render";
import { Reactivated } from "./reactivated";

const zoning = "Parcels/Zoning.FeatureServer";

it("says that all webhooks are active again after a quiet import", async () => {
	renderWith(<Reactivated webhooks={{ services: 2, active: 3, gone: [], failed: [] }} />);
	expect(await screen.findByText("3 of 3 webhooks are active again")).toBeVisible();
	expect(screen.queryByRole("list")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("names each webhook that is not active again, with the reason", async () => {
	const gone = [{ service: zoning, webhook: "Planners", message: "" }];
	const failed = [
		{ service: zoning, webhook: "Archive", message: "Access denied." },
		{ service: "Buffer.GPServer", webhook: "", message: "no response" },
	];
	renderWith(<Reactivated webhooks={{ services: 2, active: 1, gone, failed }} />);
	expect(await screen.findByText("1 of 4 webhooks are active again")).toBeVisible();
	expect(screen.getByText(`${zoning}: Planners no longer exists`)).toBeVisible();
	expect(screen.getByText(`${zoning}: Archive was not reactivated: Access denied.`)).toBeVisible();
	expect(screen.getByText("Buffer.GPServer: the webhooks were not reactivated: no response")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});
