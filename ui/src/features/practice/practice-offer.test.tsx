import { act, screen, waitFor } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { useNavigation } from "@/lib/navigation";
import { held } from "@/test/leaving";
import { renderWith } from "@/test/render";
import { WithPlace } from "@/test/where";
import { PracticeOffer } from "./practice-offer";

function Pages() {
	const { place, go } = useNavigation();
	return (
		<>
			{place.page === "sites" ? <PracticeOffer /> : null}
			<button type="button" onClick={() => go({ page: "settings" })}>
				To the settings
			</button>
		</>
	);
}

function open() {
	const backend = fakeBackend({ world: { sites: [] } });
	const start = held(backend.startPractice);
	backend.startPractice = start.command;
	const shown = renderWith(
		<WithPlace>
			<Pages />
		</WithPlace>,
		backend,
	);
	return { ...shown, started: start.release };
}

const place = () => screen.getByTestId("place");

test("the practice site opens once it has started", async () => {
	const { user, started } = open();
	await user.click(screen.getByRole("button", { name: "Start practice site" }));
	started();
	await waitFor(() => expect(place()).toHaveTextContent("overview practice"));
});

test("a user who has gone to another page stays there when the practice site has started", async () => {
	const { user, queries, started } = open();
	await user.click(screen.getByRole("button", { name: "Start practice site" }));
	await user.click(screen.getByRole("button", { name: "To the settings" }));
	started();
	await waitFor(() => expect(queries.isMutating()).toBe(0));
	await act(async () => {});
	expect(place()).toHaveTextContent("settings");
});
