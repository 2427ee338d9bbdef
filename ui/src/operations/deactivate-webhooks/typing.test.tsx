import { screen, within } from "@testing-library/react";
import { i18n } from "@/messages/i18n";
import { renderWith, signedInSite } from "@/test/render";
import { DeactivateWebhooks } from "./form";

test("a key of the reason does not draw the list of services again, however long it is", async () => {
	// Each row of the list translates its label whenever it is drawn.
	const translated = vi.spyOn(i18n, "t");
	const rows = () => translated.mock.calls.filter(([key]) => String(key).includes("openService")).length;
	const { site, world } = signedInSite();
	const { user } = renderWith(<DeactivateWebhooks site={site} />, { world });
	const boxes = await screen.findAllByRole("checkbox", { name: /Server$/ });
	await user.click(boxes.find((box) => !(box as HTMLInputElement).disabled) as HTMLElement);
	await user.click(screen.getByRole("button", { name: "Deactivate webhooks of 1 service" }));
	const reason = within(await screen.findByRole("dialog")).getByRole("textbox", { name: /^Reason/ });
	expect(rows()).toBeGreaterThan(0);
	translated.mockClear();
	await user.type(reason, "Upgrade");
	expect(reason).toHaveValue("Upgrade");
	expect(rows()).toBe(0);
});
