import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { OperationKey, TokenExpiryCheck as Outlook } from "@/bridge";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { TokenExpiryCheck } from "./request-preview";

function shown(outlook: Outlook) {
	const { site, world } = signedInSite();
	const tokenOutlooks = new Map<OperationKey, Outlook>([["export_portal", outlook]]);
	return renderWith(<TokenExpiryCheck site={site} operation="export_portal" />, { world: { ...world, tokenOutlooks } });
}

test("a token that ends before the operation usually does is said before it begins", async () => {
	shown({ endsAt: Date.now() + 600_000, tookBefore: 4_325, shortBy: 3_725 });
	const notice = await screen.findByRole("status");
	expect(notice).toHaveTextContent("On this site, Portal export has taken up to 1 h 12 min.");
	expect(screen.getByRole("button", { name: "Sign in" })).toBeEnabled();
	expect(await axeFindings()).toEqual([]);
});

test("a token that lasts is not spoken of", async () => {
	const { queries } = shown({ endsAt: Date.now() + 600_000, tookBefore: 60, shortBy: null });
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(screen.queryByRole("status")).toBeNull();
});

test("a token that no longer lasts is said while the page stays open", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	const { backend, queries } = shown({ endsAt: Date.now() + 600_000, tookBefore: 60, shortBy: null });
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	const short = { endsAt: Date.now() + 600_000, tookBefore: 4_325, shortBy: 3_725 };
	vi.spyOn(backend, "checkTokenExpiry").mockResolvedValue(short);
	await act(() => vi.advanceTimersByTimeAsync(60_000));
	expect(await screen.findByRole("status")).toBeVisible();
	vi.useRealTimers();
});
