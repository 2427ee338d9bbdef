import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { axeFindings, renderWith } from "@/test/render";
import { Reactivated } from "./verdict";

const zoning = "Parcels/Zoning.FeatureServer";
const none = { services: 0, active: 0, gone: [], failed: [], unknown: [], notRead: null, inactive: null };
const inactive = { from: new Date(2026, 2, 4, 10, 0).getTime(), to: new Date(2026, 2, 4, 10, 4).getTime() };

it("says that all webhooks are active again after a quiet import", async () => {
	renderWith(<Reactivated webhooks={{ ...none, services: 2, active: 3 }} />);
	expect(await screen.findByText("3 of 3 webhooks were active again")).toBeVisible();
	expect(screen.queryByRole("list")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("says how long the webhooks were inactive, and that payloads of that time are lost", async () => {
	renderWith(<Reactivated webhooks={{ ...none, services: 2, active: 3, inactive }} />);
	expect(
		await screen.findByText(
			/^3 webhooks were inactive from .*10:00.* to .*10:04.*\. Payloads of that time are lost\.$/,
		),
	).toBeVisible();
});

it("counts only webhooks that are active again or gone among those that were inactive for a time", async () => {
	const one = (webhook: string) => [{ service: zoning, webhook, message: "" }];
	const [gone, failed, unknown] = [one("Planners"), one("Archive"), one("Notify")];
	renderWith(<Reactivated webhooks={{ ...none, services: 1, active: 1, gone, failed, unknown, inactive }} />);
	expect(await screen.findByText(/^2 webhooks were inactive from /)).toBeVisible();
});

it("says no time of webhooks that are all inactive still", async () => {
	const failed = [{ service: zoning, webhook: "Archive", message: "Access denied." }];
	renderWith(<Reactivated webhooks={{ ...none, services: 1, failed, inactive }} />);
	expect(await screen.findByText(`${zoning}: Archive was not reactivated: Access denied.`)).toBeVisible();
	expect(screen.queryByText(/inactive from/)).toBeNull();
});

it("names each webhook that is not active again, with the reason", async () => {
	const gone = [{ service: zoning, webhook: "Planners", message: "" }];
	const failed = [
		{ service: zoning, webhook: "Archive", message: "Access denied." },
		{ service: "Buffer.GPServer", webhook: "", message: "no response" },
	];
	renderWith(<Reactivated webhooks={{ ...none, services: 2, active: 1, gone, failed }} />);
	expect(await screen.findByText("1 of 4 webhooks were active again")).toBeVisible();
	expect(screen.getByText(`${zoning}: Planners no longer exists`)).toBeVisible();
	expect(screen.getByText(`${zoning}: Archive was not reactivated: Access denied.`)).toBeVisible();
	expect(screen.getByText("Buffer.GPServer: the webhooks were not reactivated: no response")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("names the webhooks that the imported file has inactive, which nothing was to reactivate", async () => {
	const failed = [
		{ service: zoning, webhook: "Archive", message: "" },
		{ service: "Buffer.GPServer", webhook: "", message: "" },
	];
	renderWith(<Reactivated webhooks={{ ...none, services: 2, failed }} />);
	expect(await screen.findByText("0 of 2 webhooks were active again")).toBeVisible();
	expect(screen.getByText(`${zoning}: Archive is inactive in the imported file`)).toBeVisible();
	expect(screen.getByText("Buffer.GPServer: the webhooks are inactive in the imported file")).toBeVisible();
});

it("says of a lost response that the webhook might be active", async () => {
	const unknown = [{ service: zoning, webhook: "Planners", message: "no response from the site" }];
	renderWith(<Reactivated webhooks={{ ...none, services: 1, active: 6, unknown }} />);
	expect(await screen.findByText("6 of 7 webhooks were active again")).toBeVisible();
	expect(screen.getByText(/Planners might have been active again, its state was not known/)).toBeVisible();
});

it("never says that no webhook of none is active when the deactivation log cannot be read", async () => {
	renderWith(<Reactivated webhooks={{ ...none, notRead: "database disk image is malformed" }} />);
	expect(
		await screen.findByText("The webhooks were not reactivated: the deactivation log cannot be read"),
	).toBeVisible();
	expect(screen.getByText("database disk image is malformed")).toBeVisible();
	expect(screen.queryByText(/of 0 webhooks/)).toBeNull();
});

it("says of a service whose states were not read that its webhooks might be active", async () => {
	const unknown = [{ service: zoning, webhook: "", message: "which webhooks were active before is not known" }];
	renderWith(<Reactivated webhooks={{ ...none, services: 1, active: 6, unknown }} />);
	expect(
		await screen.findByText(
			`${zoning}: the webhooks might have been active again, their states were not known: which webhooks were active before is not known`,
		),
	).toBeVisible();
});
