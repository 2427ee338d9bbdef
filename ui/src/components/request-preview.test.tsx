import { screen } from "@testing-library/react";
import { renderWith, signedInSite } from "@/test/render";
import { RequestPreview } from "./request-preview";

it("ends its lines between the words of a parameter and the parts of an address, and not within one", async () => {
	const { site, world } = signedInSite();
	const form = { participantId: "p", collaborationId: "c", contactFirstname: "", contactLastname: "" };
	const contactEmailAddress = "kim@example.org";
	const { user } = renderWith(
		<RequestPreview site={site} form={{ operation: "update_participant", form: [{ ...form, contactEmailAddress }] }} />,
		{ world },
	);
	await user.click(screen.getByRole("button"));
	const name = await screen.findByText(
		(_, part) => part?.nodeName === "TH" && part.textContent === "contactEmailAddress",
	);
	expect(name.innerHTML.split("<wbr>")).toEqual(["contact", "Email", "Address"]);
	const request = screen.getByText(/^POST/, { selector: "code" });
	expect(request.innerHTML).toMatch(/^POST https:\/\/<wbr>gis.example.org\/<wbr>portal\/<wbr>/);
});
