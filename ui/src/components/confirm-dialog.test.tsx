import { screen } from "@testing-library/react";
import { useState } from "react";
import type { SiteView } from "@/bridge";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { ConfirmDialog } from "./dialog";

const { site, world } = signedInSite();

function Asking({ onConfirm, about }: { onConfirm: (typed: string, reason: string) => void; about?: SiteView }) {
	const [asking, setAsking] = useState(false);
	return (
		<main>
			<button type="button" onClick={() => setAsking(true)}>
				ask
			</button>
			<ConfirmDialog
				opened={asking}
				onClose={() => setAsking(false)}
				title="Change it?"
				confirm="Change"
				{...(about ? { site: about } : {})}
				onConfirm={onConfirm}
			>
				<p>It will be another.</p>
			</ConfirmDialog>
		</main>
	);
}

const reason = "Reason or ticket (optional)";

it("passes the reason for a change of a site on, and asks for it anew each time", async () => {
	const onConfirm = vi.fn();
	const { user } = renderWith(<Asking about={site} onConfirm={onConfirm} />, { world });
	await user.click(screen.getByRole("button", { name: "ask" }));
	await fill(user, await screen.findByLabelText(reason), "CHG-2291");
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "Change" }));
	expect(onConfirm).toHaveBeenCalledWith("", "CHG-2291");

	await user.click(screen.getByRole("button", { name: "ask" }));
	expect(await screen.findByLabelText(reason)).toHaveValue("");
});

it("asks for no reason where no site is changed", async () => {
	const { user } = renderWith(<Asking onConfirm={() => {}} />, { world });
	await user.click(screen.getByRole("button", { name: "ask" }));
	expect(await screen.findByText("It will be another.")).toBeVisible();
	expect(screen.queryByLabelText(reason)).toBeNull();
});
