import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { OperationScreen } from "@/components/operation-screen";
import { useOperation } from "@/lib/use-operation";
import { renderWith, signedInSite } from "@/test/render";

const { site, world } = signedInSite();

function Exporting() {
	const handle = useOperation("export_server", site, async () => ({
		kind: "done" as const,
		record: null,
		at: 0,
		took: 1,
		report: null,
	}));
	return (
		<main id="content" tabIndex={-1}>
			<OperationScreen
				operation="export_server"
				site={site}
				handle={handle}
				form={
					<button type="button" onClick={() => handle.start()}>
						send
					</button>
				}
				report={() => <p>it is done</p>}
				findOut={() => ""}
				again="Once more"
			/>
		</main>
	);
}

it("begins the form at its first line again, wherever the result was scrolled to", async () => {
	const { user } = renderWith(<Exporting />, { world });
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	const main = screen.getByRole("main");
	const scrollTo = vi.fn();
	main.scrollTo = scrollTo;
	await user.click(screen.getByRole("button", { name: "Once more" }));
	expect(screen.getByRole("button", { name: "send" })).toBeVisible();
	expect(scrollTo).toHaveBeenCalledWith({ top: 0 });
	expect(main).toHaveFocus();
});

it("shows the news where the head of the page fills the window, and leaves it alone where there is room", async () => {
	const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
	const place = vi.spyOn(HTMLElement.prototype, "getBoundingClientRect");
	place.mockReturnValue(new DOMRect(0, window.innerHeight - 20, 600, 400));
	const { user } = renderWith(<Exporting />, { world });
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	expect(scrolled.mock.contexts.at(-1)).toHaveTextContent("it is done");
	expect(scrolled.mock.contexts.at(-1)).toHaveFocus();

	await user.click(screen.getByRole("button", { name: "Once more" }));
	place.mockReturnValue(new DOMRect(0, 200, 600, 400));
	scrolled.mockClear();
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	expect(scrolled).not.toHaveBeenCalled();
});
