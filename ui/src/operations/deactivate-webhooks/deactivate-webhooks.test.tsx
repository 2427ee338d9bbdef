import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { DeactivateWebhooks } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<DeactivateWebhooks site={site} />, { world, ...options });
}

async function firstLoud(): Promise<HTMLElement> {
	const boxes = await screen.findAllByRole("checkbox");
	const loud = boxes.find((box) => !(box as HTMLInputElement).disabled);
	if (!loud) throw new Error("no service has active webhooks");
	return loud;
}

it("silences the chosen service after naming what falls silent", async () => {
	const { user } = show();
	const box = await firstLoud();
	const path = box.getAttribute("aria-label") ?? "";
	await user.click(box);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const dialog = await screen.findByRole("dialog");
	expect(within(dialog).getByText(path)).toBeVisible();
	await user.click(within(dialog).getByRole("button", { name: "Deactivate webhooks" }));
	expect(await screen.findByText("The webhooks of 1 service on City GIS are silent")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Back to the services" }));
	expect(await screen.findByRole("checkbox", { name: path })).toBeDisabled();
});

it("sends nothing when the confirmation is cancelled", async () => {
	const { user, backend } = show();
	await user.click(await firstLoud());
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	await user.click(await screen.findByRole("button", { name: "Cancel" }));
	expect(await backend.listHistory(null)).toEqual([]);
	expect(await firstLoud()).toBeChecked();
});

it("cannot be sent without a service", async () => {
	show();
	expect(await screen.findByRole("button", { name: "Deactivate webhooks of 0 services" })).toBeDisabled();
});

it("says why the list did not come, and asks again", async () => {
	show({ fail: { listServices: { kind: "refused", code: 403, message: "no <b>rights</b>", details: [] } } });
	expect(await screen.findByText("no <b>rights</b>")).toBeVisible();
	expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});
