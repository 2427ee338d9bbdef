import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { DialogFrame } from "./dialog";

const ask = (service: string | null) => (
	// This provider keeps the transitions that tests disable otherwise.
	<MantineProvider>
		<DialogFrame
			opened={service !== null}
			onClose={() => {}}
			title={service === null ? "Deactivate 0 webhooks?" : `Deactivate webhooks of ${service}?`}
		>
			{service}
		</DialogFrame>
	</MantineProvider>
);

test("a dialog that fades away keeps its title and what it says", async () => {
	const { rerender } = render(ask("Mains"));
	await screen.findByRole("dialog", { name: "Deactivate webhooks of Mains?" });
	rerender(ask(null));
	expect(screen.getByRole("dialog", { name: "Deactivate webhooks of Mains?" })).toHaveTextContent("Mains");
	expect(screen.queryByText("Deactivate 0 webhooks?")).toBeNull();
});
