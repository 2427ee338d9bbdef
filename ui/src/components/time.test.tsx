import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderWith } from "@/test/render";
import { Time } from "./time";

it("goes on with the time that has passed", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	renderWith(<Time at={Date.now() - 60_000} relative />);
	expect(screen.getByText("1 minute ago")).toBeVisible();
	await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));
	expect(screen.getByText("6 minutes ago")).toBeVisible();
	vi.useRealTimers();
});
