import { screen, within } from "@testing-library/react";
import { renderWith, signedInSite } from "@/test/render";
import { DeactivateWebhooks } from "./form";

const drawn = vi.hoisted(() => vi.fn());

// A hook that each row of the list calls.
vi.mock("@/lib/gap-text", async (original) => {
	const { useGapText } = await original<typeof import("@/lib/gap-text")>();
	return {
		useGapText: () => {
			drawn();
			return useGapText();
		},
	};
});

test("a key of the reason does not draw the list of services again, however long it is", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<DeactivateWebhooks site={site} />, { world });
	const boxes = await screen.findAllByRole("checkbox", { name: /Server$/ });
	await user.click(boxes.find((box) => !(box as HTMLInputElement).disabled) as HTMLElement);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const reason = within(await screen.findByRole("dialog")).getByRole("textbox", { name: /^Reason/ });
	expect(drawn).toHaveBeenCalled();
	drawn.mockClear();
	await user.type(reason, "Upgrade");
	expect(reason).toHaveValue("Upgrade");
	expect(drawn).not.toHaveBeenCalled();
});
