import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { UpdateParticipant } from "./form";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<UpdateParticipant site={site} />, { world, ...options });
}

async function pickFirst(user: ReturnType<typeof show>["user"]) {
	const [first] = await screen.findAllByRole("radio");
	if (!first) throw new Error("no participants");
	await user.click(first);
}

const submit = () => screen.getByRole("button", { name: /^Update contact of / });

it("sends a corrected contact after showing the difference", async () => {
	const { user } = show();
	await pickFirst(user);
	expect(submit()).toBeDisabled();
	await user.clear(screen.getByLabelText("First name"));
	await user.type(screen.getByLabelText("First name"), "Kim");
	expect(screen.getByRole("table", { name: "What changes" })).toHaveTextContent("Kim");
	expect(await axeFindings()).toEqual([]);
	await user.click(submit());
	expect(await screen.findByText(/^Updated the contact of /)).toBeVisible();
	await user.click(screen.getByRole("button", { name: "Back to the participants" }));
	expect(await screen.findByText(/^Kim /)).toBeVisible();
});

it("puts a wrong address under its field", async () => {
	const { user } = show();
	await pickFirst(user);
	await user.clear(screen.getByLabelText("E-mail address"));
	await user.type(screen.getByLabelText("E-mail address"), "nobody");
	await user.click(submit());
	expect(await screen.findByText("This is not an e-mail address.")).toBeVisible();
	expect(screen.getByLabelText("E-mail address")).toHaveValue("nobody");
});

it("quotes the portal when it refuses", async () => {
	const message = "Only the host may change a contact.";
	const { user } = show({ fail: { updateParticipant: { kind: "refused", code: 403, message, details: [] } } });
	await pickFirst(user);
	await user.type(screen.getByLabelText("Last name"), "x");
	await user.click(submit());
	expect(await screen.findByText(message)).toBeVisible();
});

it("says why there is nothing to pick", async () => {
	const { world } = signedInSite();
	show({ world: { ...world, participants: [] } });
	expect(await screen.findByText("No participants")).toBeVisible();
});
