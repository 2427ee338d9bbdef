import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { RunStep } from "@/bridge";
import { renderWith, signedInSite } from "@/test/render";
import { RunPanel } from "./run-panel";

const { site, world } = signedInSite();

function show(step: RunStep) {
	const state = { kind: "running", run: "1", startedAt: Date.now(), step, form: null } as const;
	return renderWith(<RunPanel operation="refresh_invitation" site={site} state={state} stop={() => {}} />, { world });
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
