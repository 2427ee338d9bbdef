import { screen, within } from "@testing-library/react";
import { renderWith, signedInSite } from "@/test/render";
import { DeactivateWebhooks } from "./form";

test("the heading of a folder counts its services", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<DeactivateWebhooks site={site} />, { world });
	await user.click(await screen.findByRole("radio", { name: /^All that support webhooks/ }));
	const folder = screen
		.getAllByRole("group", { name: /./ })
		.filter((one) => within(one).queryByRole("checkbox", { name: /^Select every/ }));
	expect(folder.length).toBeGreaterThan(0);
	for (const one of folder) {
		const count = within(one).getAllByRole("checkbox").length - 1;
		expect(within(one).getByText(count === 1 ? "1 service" : `${count} services`)).toBeVisible();
	}
});
