import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { deactivatedConcern } from "@/test/deactivation";
import { axeFindings, fill, press, renderWith, signedInSite } from "@/test/render";
import { ImportServer } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	const shown = renderWith(<ImportServer site={site} />, { world, ...options });
	return { ...shown, sent: vi.spyOn(shown.backend, "importServer") };
}

const quietly = () => screen.findByRole("checkbox", { name: /^Deactivate all webhooks before the import/ });

async function send(user: ReturnType<typeof show>["user"]) {
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await press(user, "Replace City GIS");
	await screen.findByText(/^Imported into City GIS/);
}

it("leaves the webhooks as they are unless that is asked for", async () => {
	const { user, sent } = show();
	expect(await quietly()).not.toBeChecked();
	await send(user);
	expect(sent.mock.calls[0]?.[2]).toMatchObject({ deactivateWebhooks: null });
	expect(screen.queryByText(/active again$/)).toBeNull();
});

it("deactivates the webhooks on request, with a reason for the log, and says that they are active again", async () => {
	const { user, sent } = show();
	await user.click(await quietly());
	expect(await axeFindings()).toEqual([]);
	await send(user);
	const reason = "Server import of /backups/a.agssite";
	expect(sent.mock.calls[0]?.[2]).toMatchObject({ deactivateWebhooks: reason });
	expect(await screen.findByText(/^\d of \d webhooks were active again$/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

const isDeactivated = /^\d+ webhooks? of .+ (is|are) deactivated$/;

it("leads to the deactivation log while webhooks are deactivated, for example after Stop", async () => {
	const { world } = signedInSite();
	const { user } = show({ world: { ...world, concerns: [deactivatedConcern(["mains-leaks"])] } });
	expect(await screen.findByText(isDeactivated)).toBeVisible();
	await send(user);
	expect(screen.getByText(isDeactivated)).toBeVisible();
	expect(screen.getByRole("button", { name: "Reactivate…" })).toBeVisible();
});

it("does not say that webhooks are deactivated which the import activated", async () => {
	const { world } = signedInSite();
	const concerns = [deactivatedConcern(["mains-leaks"])];
	const { user, sent, backend } = show({ world: { ...world, concerns } });
	expect(await screen.findByText(isDeactivated)).toBeVisible();
	sent.mockRestore();
	const { importServer } = backend;
	backend.importServer = (...form) => {
		concerns.length = 0;
		return importServer(...form);
	};
	await send(user);
	await waitFor(() => expect(screen.queryByText(isDeactivated)).toBeNull());
});

it("says why the webhooks cannot be deactivated where the site or the account does not allow it", async () => {
	const { site, session, world } = signedInSite();
	const reason = { kind: "tooOld", needs: "11.1", has: "10.9.1" } as const;
	const old = session.operations.map((one) =>
		one.operation === "deactivate_webhooks" ? { ...one, reasons: [reason] } : one,
	);
	const { user, sent } = show({
		world: { ...world, sessions: new Map([[site.id, { ...session, operations: old }]]) },
	});
	await waitFor(async () => expect(await quietly()).toBeDisabled());
	expect(screen.getByText(/11\.1/)).toBeVisible();
	await send(user);
	expect(sent.mock.calls[0]?.[2]).toMatchObject({ deactivateWebhooks: null });
});
