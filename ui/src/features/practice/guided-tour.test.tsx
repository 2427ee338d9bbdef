import { screen, within } from "@testing-library/react";
import { type ReactNode, useEffect } from "react";
import { practiceSite, type World } from "@/bridge/fake-backend/world";
import { NavigationProvider, useNavigation } from "@/lib/navigation";
import { axeFindings, renderWith } from "@/test/render";
import { GuidedTourPanel } from "./guided-tour-panel";
import { GuidedTourOffer } from "./practice-page";

function Where() {
	return <p data-testid="where">{JSON.stringify(useNavigation().place)}</p>;
}

/** Overview of the site, where the tour starts. */
function AtHome({ children }: { children: ReactNode }) {
	const { place, go } = useNavigation();
	useEffect(() => go({ page: "overview", site: "practice" }), [go]);
	return place.page === "sites" ? null : children;
}

function open(lap: Partial<World["guidedTour"]> = {}) {
	const world: Pick<World, "guidedTour" | "sites"> = {
		sites: [practiceSite()],
		guidedTour: { begun: Date.now(), folded: false, seen: [], ...lap },
	};
	const page = (
		<NavigationProvider>
			<AtHome>
				<GuidedTourPanel site={practiceSite()} />
				<GuidedTourOffer />
				<Where />
			</AtHome>
		</NavigationProvider>
	);
	return { ...renderWith(page, { world }), world };
}

const panel = async () => within(await screen.findByRole("complementary", { name: "Guided tour" }));
const current = (element: HTMLElement) => element.getAttribute("aria-current") === "step";

test("whoever is on no lap sees no panel, and can begin one", async () => {
	const { user } = open({ begun: null });
	await user.click(await screen.findByRole("button", { name: "Start guided tour" }));
	expect((await panel()).getByRole("status")).toHaveTextContent("0 of 9 steps completed");
	expect(screen.queryByRole("button", { name: "Start guided tour" })).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("the step that comes next is shown with what to do, what to look at, and the way there", async () => {
	const { user } = open({ seen: ["exportPortal"] });
	const lap = await panel();
	expect(lap.getByRole("status")).toHaveTextContent("1 of 9 steps completed");
	expect(lap.getByRole("button", { name: "Export the portal completed" })).toBeInTheDocument();
	const next = lap.getByRole("button", { name: "Export the server" });
	expect(next).toSatisfy(current);
	expect(
		lap.queryByRole("list", { name: "Optional: portal import, what expires, recovery, changes, and a rehearsal" }),
	).toBeNull();
	await user.click(lap.getByRole("button", { name: "Go to Server export" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"key":"export_server"');
	// Beside a form, the panel shows only the instruction, because the form needs the room.
	expect(lap.getByText(/choose a destination on this computer/)).toBeInTheDocument();
	// The instruction quotes the button of the form.
	expect(lap.getByText(/Select “Export .*Practice…”/)).toBeInTheDocument();
	expect(lap.queryByRole("list")).toBeNull();
	expect(lap.queryByRole("button", { name: "Go to Server export" })).toBeNull();
});

test("another step can be looked at, until something was done", async () => {
	const { user, world, queries } = open();
	const lap = await panel();
	await user.click(lap.getByRole("button", { name: "Save the audit package" }));
	expect(lap.getByRole("button", { name: "Go to History" })).toBeInTheDocument();

	world.guidedTour.seen.push("exportPortal");
	await queries.invalidateQueries();
	expect(await lap.findByRole("button", { name: "Go to Server export" })).toBeInTheDocument();
});

test("on the page of a later step the lap shows that step, and once it is done the one after it", async () => {
	const { user, world, queries } = open();
	const lap = await panel();
	await user.click(lap.getByRole("button", { name: "Simulate a slow response" }));
	await user.click(lap.getByRole("button", { name: "Go to Simulated faults" }));
	expect(lap.getByText("Simulate a slow response")).toBeInTheDocument();
	expect(lap.queryByText("Export the portal")).toBeNull();

	world.guidedTour.seen.push("addFault");
	await queries.invalidateQueries();
	expect(await lap.findByText("Import and read the report")).toBeInTheDocument();
});

test("the next step comes into view once something was done, and not before", async () => {
	const { world, queries } = open();
	await panel();
	const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
	await queries.invalidateQueries();
	expect(scrolled).not.toHaveBeenCalled();
	world.guidedTour.seen.push("exportPortal");
	await queries.invalidateQueries();
	await vi.waitFor(() => expect(scrolled.mock.contexts).toContain(screen.getByRole("complementary")));
});

test("folded it is one line, and stays so", async () => {
	const { user, backend } = open();
	const lap = await panel();
	await user.click(lap.getByRole("button", { name: "Collapse guided tour" }));
	expect(await lap.findByRole("button", { name: "Expand guided tour" })).toHaveAttribute("aria-expanded", "false");
	expect((await backend.guidedTour()).folded).toBe(true);
});

test("it is ended, or begun again, from its menu", async () => {
	const { user, backend } = open({ seen: ["exportPortal", "findItem"] });
	const lap = await panel();
	await user.click(lap.getByRole("button", { name: "More commands for the guided tour" }));
	await user.click(await screen.findByRole("menuitem", { name: "Start again" }));
	await vi.waitFor(() => expect(lap.getByRole("status")).toHaveTextContent("0 of 9 steps completed"));
	await user.click(lap.getByRole("button", { name: "More commands for the guided tour" }));
	await user.click(await screen.findByRole("menuitem", { name: "End tour" }));
	expect(await screen.findByRole("button", { name: "Start guided tour" })).toBeInTheDocument();
	expect((await backend.guidedTour()).begun).toBeNull();
});

test("whoever is around is told so, and can add a site or end the lap", async () => {
	const { user } = open({
		seen: [
			"exportPortal",
			"exportServer",
			"addFault",
			"importServer",
			"findItem",
			"saveAuditPackage",
			"deactivateWebhooks",
			"updateParticipant",
			"refreshInvitation",
		],
	});
	const lap = await panel();
	expect(lap.getByText("Guided tour completed")).toBeInTheDocument();
	expect(lap.getByRole("status")).toHaveTextContent("9 of 9 steps completed");
	await user.click(lap.getByRole("button", { name: "Add site" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"page":"add-site"');
	await user.click(lap.getByRole("button", { name: "End tour" }));
	expect(await screen.findByRole("button", { name: "Start guided tour" })).toBeInTheDocument();
});

test("an optional chapter imports the portal: only on its own page it comes next, and without it the tour is complete", async () => {
	const { user, world, queries } = open({
		seen: [
			"exportPortal",
			"exportServer",
			"addFault",
			"importServer",
			"findItem",
			"saveAuditPackage",
			"deactivateWebhooks",
			"updateParticipant",
			"refreshInvitation",
		],
	});
	const lap = await panel();
	expect(lap.getByText(/^An optional chapter remains/)).toBeVisible();
	const chapter = within(
		lap.getByRole("list", { name: "Optional: portal import, what expires, recovery, changes, and a rehearsal" }),
	);
	expect(chapter.getAllByRole("button")).toHaveLength(14);
	await user.click(lap.getByRole("button", { name: "Go to Portal import" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"key":"import_portal"');
	expect(lap.getByText(/select the latest export/)).toBeVisible();
	// Nine of nine steps are completed. The optional step does not count, and says so.
	expect(lap.getByText("Optional: portal import, what expires, recovery, changes, and a rehearsal")).toBeVisible();

	world.guidedTour.seen.push("importPortal");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Sign in again/)).toBeVisible();
	world.guidedTour.seen.push("checkPortal");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Select “Check again”/)).toBeVisible();
	// The result of the previous step is shown above the next one.
	expect(lap.getByText(/the numbers of the portal beside those of the export/)).toBeVisible();
	world.guidedTour.seen.push("checkWholeSite");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Select “Undo this import”/)).toBeVisible();
	world.guidedTour.seen.push("undoPortalImport");
	await queries.invalidateQueries();
	await user.click(await lap.findByRole("button", { name: "Go to Simulated faults" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"page":"practice"');
	expect(lap.getByText(/^Add the fault “A license expires soon”/)).toBeVisible();
	world.guidedTour.seen.push("findExpiring");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Take a snapshot first, then select “Change configuration”/)).toBeVisible();
	world.guidedTour.seen.push("takeSnapshot", "simulateChanges");
	await queries.invalidateQueries();
	await user.click(await lap.findByRole("button", { name: "Go to overview" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"page":"overview"');
	expect(lap.getByText(/the oldest of the newest verified exports decides/)).toBeVisible();
	world.guidedTour.seen.push("seeRecoverable");
	await queries.invalidateQueries();
	await user.click(await lap.findByRole("button", { name: "Go to Changes" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"page":"changes"');
	expect(lap.getByText(/^Select “Take snapshot” again/)).toBeVisible();
	world.guidedTour.seen.push("findChange");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Open a row, enter a reason, and select “Accept”/)).toBeVisible();
	world.guidedTour.seen.push("acceptChange");
	await queries.invalidateQueries();
	expect(await lap.findByText(/select “Between” here\. Under “Substitutions”, add the pair/)).toBeVisible();
	world.guidedTour.seen.push("compareSites");
	await queries.invalidateQueries();
	await user.click(await lap.findByRole("button", { name: "Go to Backup plans" }));
	expect(screen.getByTestId("where")).toHaveTextContent('"page":"plans"');
	expect(lap.getByText(/select “Rehearse…”, and begin/)).toBeVisible();
	world.guidedTour.seen.push("beginRehearsal");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Select “Continue rehearsal” in the set/)).toBeVisible();
	world.guidedTour.seen.push("endRehearsal");
	await queries.invalidateQueries();
	expect(await lap.findByText(/^Select “Undo…” in the receipt/)).toBeVisible();
	world.guidedTour.seen.push("putBack");
	await queries.invalidateQueries();
	expect(await lap.findByText("Guided tour completed")).toBeVisible();
	expect(lap.queryByText(/^An optional chapter remains/)).toBeNull();
	expect(lap.getByRole("status")).toHaveTextContent("9 of 9 steps completed");
	expect(await axeFindings()).toEqual([]);
});
