import { screen, waitFor, within } from "@testing-library/react";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { practiceFingerprint, practiceSite } from "@/bridge/fake-backend/world";
import { draftKey, useDraft } from "@/lib/drafts";
import { NavigationProvider } from "@/lib/navigation";
import { useOperation } from "@/lib/runs";
import { axeFindings, renderWith } from "@/test/render";
import { practiceServer } from "@/test/targets";
import { PracticePage } from "./practice-page";

function open(options: MemoryOptions = {}) {
	const world = { practiceRunning: true, sites: [practiceSite()], ...options.world };
	const page = (
		<NavigationProvider>
			<PracticePage />
		</NavigationProvider>
	);
	return renderWith(page, { ...options, world });
}

const armed = async () => within(await screen.findByRole("region", { name: "Active faults" }));

test("a site on which nothing shall go wrong says so, and which service never starts all the same", async () => {
	open();
	expect(
		await (await armed()).findByText(/^The service Parcels\/Zoning of the first server has no data/),
	).toBeVisible();
	expect(screen.queryByText(/Everything on this site works/)).toBeNull();
	expect(await (await armed()).findByText(/^No active faults\./)).toBeInTheDocument();
	expect(screen.queryByRole("button", { name: "Remove all faults" })).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("the form begins with a slow response, says at once that it is active, and all is taken back", async () => {
	const { user, backend } = open();
	await user.click(screen.getByRole("button", { name: "Add fault" }));
	const list = await armed();
	expect(await list.findByText("The response is slow (10 s): Server import, once")).toBeInTheDocument();
	expect(await screen.findByRole("status", { name: /Fault added: 1 fault is active$/ })).toBeVisible();
	expect(await backend.listFaults()).toMatchObject([{ fault: "delay", target: "import_server" }]);
	expect(await axeFindings()).toEqual([]);

	await user.click(list.getByRole("button", { name: "Remove all faults" }));
	expect(await list.findByText(/^No active faults\./)).toBeInTheDocument();
	expect(await backend.listFaults()).toEqual([]);
	expect(screen.queryByText(/^Fault added/)).toBeNull();
});

test("a mishap is offered only where it can happen", async () => {
	const { user, backend } = open();
	const target = screen.getByRole("combobox", { name: "Request" });
	expect(target).toHaveValue("Server import");
	await user.click(screen.getByRole("radio", { name: /^The folder is not writable/ }));
	expect(target).toHaveValue("Portal export");
	await user.click(target);
	expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["Portal export", "Server export"]);
	await user.click(screen.getByRole("option", { name: "Server export" }));
	await user.click(screen.getByRole("radio", { name: /^The response is slow/ }));
	await user.clear(screen.getByLabelText("Delay in seconds"));
	await user.type(screen.getByLabelText("Delay in seconds"), "5");
	expect(screen.queryByRole("checkbox")).toBeNull();
	await user.click(screen.getByRole("radio", { name: /^The connection is lost/ }));
	await user.click(screen.getByRole("checkbox", { name: /^Process the request, then drop the response/ }));
	await user.click(screen.getByRole("button", { name: "Add fault" }));
	await (await armed()).findByText(/The connection is lost: Server export/);
	expect(await backend.listFaults()).toEqual([
		{ fault: "reset", target: "export_server", times: 1, seconds: 5, after: true },
	]);
});

test("an order that is refused says why", async () => {
	const { user } = open({ fail: { addFault: { kind: "unexpected", message: "not running" } } });
	await user.click(screen.getByRole("button", { name: "Add fault" }));
	expect(await screen.findByRole("alert", { name: /The app encountered an error/ })).toBeInTheDocument();
});

test("the site is put back only after a question, and its administrator is signed in again", async () => {
	const { user, backend } = open();
	await user.click(screen.getByRole("button", { name: "Add fault" }));
	await (await armed()).findByText(/^The response is slow \(/);
	await user.click(screen.getByRole("button", { name: "Reset practice site" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Reset the practice site?" }));
	expect(await axeFindings()).toEqual([]);
	await user.click(dialog.getByRole("button", { name: "Cancel" }));
	expect(await backend.listFaults()).toHaveLength(1);

	await user.click(screen.getByRole("button", { name: "Reset practice site" }));
	const again = within(await screen.findByRole("dialog"));
	await user.click(again.getByRole("button", { name: "Reset practice site" }));
	expect(await screen.findByText("The practice site is in its initial state again")).toBeInTheDocument();
	expect(await backend.listFaults()).toEqual([]);
	expect(await backend.session(practiceServer)).toMatchObject({ username: "practice-admin" });
});

test("its address is there to be pasted elsewhere, and a password only for whoever asks", async () => {
	const { user } = open();
	const own = within(await screen.findByRole("region", { name: "URL and users" }));
	expect(own.getByText("https://127.0.0.1:41873/portal")).toBeInTheDocument();
	expect(own.getByText(practiceFingerprint)).toBeInTheDocument();
	expect(own.queryByText(/throw-away/)).toBeNull();
	expect(await axeFindings()).toEqual([]);

	await user.click(own.getByRole("button", { name: "Show password of practice-viewer" }));
	expect(await own.findByText("throw-away-practice-viewer")).toBeVisible();
	expect(own.queryByText("throw-away-practice-admin")).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(own.getByRole("button", { name: "Hide password of practice-viewer" }));
	expect(own.queryByText(/throw-away/)).toBeNull();
});

test("where the site does not run, nobody is shown", async () => {
	open({ world: { practiceRunning: false } });
	await (await armed()).findByText(/^No active faults\./);
	expect(screen.queryByRole("region", { name: "URL and users" })).toBeNull();
});

test("while something runs the site is not put back, and the dialog says so", async () => {
	const busy = {
		kind: "busy",
		siteName: "City GIS",
		operation: "import_server",
		act: null,
		startedAt: Date.now(),
	} as const;
	const { user } = open({ fail: { resetPractice: busy } });
	await user.click(screen.getByRole("button", { name: "Reset practice site" }));
	const dialog = within(await screen.findByRole("dialog"));
	await user.click(dialog.getByRole("button", { name: "Reset practice site" }));
	expect(await dialog.findByRole("alert")).toHaveTextContent("Server import");
});

/** Draft of the practice site, which a reset must remove. */
const reasonOf = draftKey<string>();

function Held({ tell }: { tell: (draft: string | null) => void }) {
	const site = practiceSite();
	const run = useOperation(
		"export_portal",
		site,
		async () => ({ kind: "notSent", record: null, backup: null }) as const,
	);
	const draft = useDraft(reasonOf(site.id));
	return (
		<>
			<output aria-label="held">{run.state.kind}</output>
			<button
				type="button"
				onClick={() => {
					draft.keep("a reason");
					run.start();
				}}
			>
				Hold
			</button>
			<button type="button" onClick={() => tell(draft.kept)}>
				Tell
			</button>
		</>
	);
}

test("a reset forgets the results of the site and what was typed for it", async () => {
	const told = vi.fn();
	const page = (
		<>
			<PracticePage />
			<Held tell={told} />
		</>
	);
	const { user } = renderWith(<NavigationProvider>{page}</NavigationProvider>, {
		world: { practiceRunning: true, sites: [practiceSite()] },
	});
	await user.click(screen.getByRole("button", { name: "Hold" }));
	await waitFor(() => expect(screen.getByLabelText("held")).toHaveTextContent("notSent"));
	await user.click(screen.getByRole("button", { name: "Reset practice site" }));
	await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Reset practice site" }));
	await waitFor(() => expect(screen.getByLabelText("held")).toHaveTextContent("idle"));
	await user.click(await screen.findByRole("button", { name: "Tell" }));
	expect(told).toHaveBeenCalledWith(null);
});
