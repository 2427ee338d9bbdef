import { screen } from "@testing-library/react";
import type { SetView } from "@/bridge";
import { practiceSite } from "@/bridge/fake-backend/world";
import { NavigationProvider, useNavigation } from "@/lib/navigation";
import { planOf, setOf } from "@/test/plans";
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

it("changes one byte of the newest set, and says so if there is none", async () => {
	const site = practiceSite();
	const plan = planOf(site);
	const shown = (planSets: Map<string, SetView[]>) =>
		renderWith(
			<NavigationProvider>
				<PractiseRehearsals />
			</NavigationProvider>,
			{ world: { sites: [site], practiceRunning: true, plans: [plan], planSets } },
		);
	const without = shown(new Map());
	await without.user.click(screen.getByRole("button", { name: "Change one byte of the newest set" }));
	expect(await screen.findByText(/^No backup set of the practice site has a server export/)).toBeVisible();
	without.unmount();
	const { user } = shown(new Map([["nightly", [setOf(plan, 1)]]]));
	await user.click(screen.getByRole("button", { name: "Change one byte of the newest set" }));
	expect(await screen.findByText(/^One byte was changed in .*server\.agssite/)).toBeVisible();
});
