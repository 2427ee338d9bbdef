import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { RunStep } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { renderWith, signedInSite } from "@/test/render";
import { RunPanel } from "./run-panel";

const { site, world } = signedInSite();

function show(step: RunStep, options: MemoryOptions = {}) {
	const state = { kind: "running", run: "1", startedAt: Date.now(), step, form: null } as const;
	return renderWith(<RunPanel operation="refresh_invitation" site={site} state={state} />, { world, ...options });
}

it("says that the response is there while it asks where to save the file, and offers nothing to stop", () => {
	const { unmount } = show({ kind: "asking" });
	expect(screen.getByText("The response was received. Choose where to save the file.")).toBeVisible();
	expect(screen.queryByText(/stop waiting/)).toBeNull();
	expect(screen.queryByRole("button")).toBeNull();
	unmount();
	show({ kind: "waiting" });
	expect(screen.getByText(/might still complete the request/)).toBeVisible();
	expect(screen.getByRole("button", { name: "Stop waiting" })).toBeVisible();
});

it("asks before it stops", async () => {
	const { user, backend } = show({ kind: "waiting" });
	const stopped = vi.spyOn(backend, "stopRun");
	await user.click(screen.getByRole("button", { name: "Stop waiting" }));
	const question = within(
		await screen.findByRole("dialog", { name: "Stop waiting for Invitation refresh on City GIS?" }),
	);
	expect(stopped).not.toHaveBeenCalled();
	await user.click(question.getByRole("button", { name: "Stop waiting" }));
	expect(stopped).toHaveBeenCalledWith("1");
});

it("says that a stop failed, and asks anew when it is opened again", async () => {
	const { user } = show({ kind: "waiting" }, { fail: { stopRun: { kind: "unexpected", message: "no channel" } } });
	await user.click(screen.getByRole("button", { name: "Stop waiting" }));
	const question = within(await screen.findByRole("dialog"));
	await user.click(question.getByRole("button", { name: "Stop waiting" }));
	expect(await question.findByRole("alert")).toBeVisible();
	await user.keyboard("{Escape}");
	await user.click(await screen.findByRole("button", { name: "Stop waiting" }));
	expect(within(await screen.findByRole("dialog")).queryByRole("alert")).toBeNull();
});
