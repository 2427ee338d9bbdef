import { screen, waitFor } from "@testing-library/react";
import { production, usualWorld } from "@/test/forms-and-dialogs";
import { planOf } from "@/test/plans";
import { renderWith } from "@/test/render";
import { PlanBanner } from "./plan-banner";

const needsYou = { kind: "needsYou", since: 1_000, reason: { kind: "noSet", note: "no drive" } } as const;
const title = "Nightly: The last run stored no set";

function show(plans: ReturnType<typeof planOf>[]) {
	const { world } = usualWorld();
	return renderWith(<PlanBanner sites={[production]} />, { world: { ...world, plans } });
}

test("a plan that needs a user is said above every page until it is seen, and again at its next failure", async () => {
	const { user, backend, queries } = show([planOf(production, { state: needsYou })]);
	expect(await screen.findByText(new RegExp(title))).toBeVisible();
	await user.click(screen.getByRole("button", { name: `Mark as seen: ${title}` }));
	await waitFor(() => expect(screen.queryByText(new RegExp(title))).toBeNull());
	expect(await backend.planTroubles()).toEqual([]);
	await backend.markPlanSeen("nightly", 999);
	await queries.invalidateQueries();
	expect(await screen.findByText(new RegExp(title))).toBeVisible();
});

test("a plan that is verified or paused is not said", async () => {
	const { queries } = show([planOf(production), planOf(production, { state: { kind: "paused" } })]);
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(screen.queryByRole("status")).toBeNull();
});

test("a plan whose site is no longer saved is said until it is deleted", async () => {
	const noSite = { kind: "needsYou", since: 1_000, reason: { kind: "noSite" } } as const;
	const left = planOf({ ...production, id: "gone" }, { state: noSite });
	const { user, backend } = show([left]);
	expect(await screen.findByText("Nightly: Its site is no longer saved")).toBeVisible();
	expect(screen.queryByRole("button", { name: /Mark as seen/ })).toBeNull();
	await user.click(screen.getByRole("button", { name: "Delete plan…" }));
	expect(await screen.findByText(/stay in \/backups\/nightly/)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Delete plan" }));
	await waitFor(() => expect(screen.queryByText(/no longer saved/)).toBeNull());
	expect(await backend.planTroubles()).toEqual([]);
});
