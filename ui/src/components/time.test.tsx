import { act, screen } from "@testing-library/react";
import { formatExactTime } from "@/lib/format";
import { renderWith } from "@/test/render";
import { DoneAt } from "./done-at";
import { Time } from "./text";

test("goes on with the time that has passed", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	renderWith(<Time at={Date.now() - 60_000} relative />);
	expect(screen.getByText("1 minute ago")).toBeVisible();
	await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));
	expect(screen.getByText("6 minutes ago")).toBeVisible();
	vi.useRealTimers();
});

const at = new Date(2026, 10, 20, 14, 5, 7).getTime();

test.each([
	["a moment", <Time key="at" at={at} />],
	["how long ago", <Time key="ago" at={at} relative />],
	["when something was done", <DoneAt key="done" at={at} />],
])("the exact time of %s is read with the keyboard alone", async (_, shown) => {
	const { user } = renderWith(shown);
	await user.tab();
	expect(screen.getByRole("time")).toHaveFocus();
	expect(await screen.findByRole("tooltip")).toHaveTextContent(formatExactTime(at));
	expect(screen.getByRole("time")).toHaveAccessibleDescription(formatExactTime(at));
});
