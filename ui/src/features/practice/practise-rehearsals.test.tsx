import { screen } from "@testing-library/react";
import { practiceSite } from "@/bridge/fake-backend/world";
import { NavigationProvider, useNavigation } from "@/lib/navigation";
import { renderWith } from "@/test/render";
import { FaultForm } from "./fault-form";
import { PractiseRehearsals } from "./practice-page";

function Where() {
	return <output>{JSON.stringify(useNavigation().place)}</output>;
}

it("starts the practice site that is marked as test, which then has faults of its own", async () => {
	const world = { sites: [practiceSite()], practiceRunning: true };
	const { user, backend } = renderWith(
		<NavigationProvider>
			<PractiseRehearsals />
			<FaultForm />
			<Where />
		</NavigationProvider>,
		{ world },
	);
	const onTest = "Simulate it on the practice test site";
	expect(screen.queryByRole("checkbox", { name: onTest })).toBeNull();
	await user.click(await screen.findByRole("button", { name: "Start the practice test site" }));
	await screen.findByText(/"page":"overview","site":"practice-test"/);
	await user.click(await screen.findByRole("checkbox", { name: onTest }));
	await user.click(screen.getByRole("button", { name: "Add fault" }));
	await vi.waitFor(async () => expect((await backend.listFaults())[0]?.onTest).toBe(true));
});
