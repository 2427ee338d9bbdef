import { screen, within } from "@testing-library/react";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { practiceSite } from "@/bridge/fake-backend/world";
import { NavigationProvider } from "@/lib/navigation";
import { axeFindings, renderWith } from "@/test/render";
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

const armed = async () => within(await screen.findByRole("region", { name: "Armed mishaps" }));

test("a site on which nothing shall go wrong says so, and which service never starts all the same", async () => {
	open();
	expect(
		await (await armed()).findByText(/^One service of this site, Parcels\/Zoning, never has its data/),
	).toBeVisible();
	expect(screen.queryByText(/Everything on this site works/)).toBeNull();
	expect(await (await armed()).findByText(/^No mishap is armed\./)).toBeInTheDocument();
	expect(screen.queryByRole("button", { name: "Clear all mishaps" })).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

test("the form begins with the failing service, is ordered at once, and all is taken back", async () => {
	const { user, backend } = open();
	await user.click(screen.getByRole("button", { name: "Order mishap" }));
	const list = await armed();
	expect(await list.findByText("A service does not start: Server import, once")).toBeInTheDocument();
	expect(await backend.listFaults()).toMatchObject([{ fault: "serviceWillNotStart", target: "import_server" }]);
	expect(await axeFindings()).toEqual([]);

	await user.click(list.getByRole("button", { name: "Clear all mishaps" }));
	expect(await list.findByText(/^No mishap is armed\./)).toBeInTheDocument();
	expect(await backend.listFaults()).toEqual([]);
});

test("a mishap is offered only where it can happen", async () => {
	const { user, backend } = open();
	const target = screen.getByRole("combobox", { name: "What it happens to" });
	expect(target).toHaveValue("Server import");
	await user.click(screen.getByRole("radio", { name: /^The folder cannot be written/ }));
	expect(target).toHaveValue("Portal export");
	await user.click(target);
	expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["Portal export", "Server export"]);
	await user.click(screen.getByRole("option", { name: "Server export" }));
	await user.click(screen.getByRole("radio", { name: /^The answer is slow/ }));
	await user.clear(screen.getByLabelText("How long, in seconds"));
	await user.type(screen.getByLabelText("How long, in seconds"), "5");
	expect(screen.queryByRole("checkbox")).toBeNull();
	await user.click(screen.getByRole("radio", { name: /^The connection is cut/ }));
	await user.click(screen.getByRole("checkbox", { name: /^The site does it all the same/ }));
	await user.click(screen.getByRole("button", { name: "Order mishap" }));
	await (await armed()).findByText(/The connection is cut: Server export/);
	expect(await backend.listFaults()).toEqual([
		{ fault: "reset", target: "export_server", times: 1, seconds: 5, after: true },
	]);
});

test("an order that is refused says why", async () => {
	const { user } = open({ fail: { addFault: { kind: "unexpected", message: "not running" } } });
	await user.click(screen.getByRole("button", { name: "Order mishap" }));
	expect(await screen.findByRole("alert", { name: /Something unexpected/ })).toBeInTheDocument();
});

test("the site is put back only after a question, and its administrator is signed in again", async () => {
	const { user, backend } = open();
	await user.click(screen.getByRole("button", { name: "Order mishap" }));
	await (await armed()).findByText(/A service does not start/);
	await user.click(screen.getByRole("button", { name: "Put the site back" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Put the practice site back as it was?" }));
	expect(await axeFindings()).toEqual([]);
	await user.click(dialog.getByRole("button", { name: "Cancel" }));
	expect(await backend.listFaults()).toHaveLength(1);

	await user.click(screen.getByRole("button", { name: "Put the site back" }));
	const again = within(await screen.findByRole("dialog"));
	await user.click(again.getByRole("button", { name: "Put the site back" }));
	expect(await screen.findByText("The practice site is as it was at first.")).toBeInTheDocument();
	expect(await backend.listFaults()).toEqual([]);
	expect(await backend.session("practice")).toMatchObject({ username: "practice-admin" });
});

test("its address is there to be pasted elsewhere, and a password only for whoever asks", async () => {
	const { user } = open();
	const own = within(await screen.findByRole("region", { name: "Its address and its people" }));
	expect(own.getByText("https://127.0.0.1:41873/portal")).toBeInTheDocument();
	expect(own.queryByText(/throw-away/)).toBeNull();
	expect(await axeFindings()).toEqual([]);

	await user.click(own.getByRole("button", { name: "Show the password of practice-viewer" }));
	expect(await own.findByText("throw-away-practice-viewer")).toBeVisible();
	expect(own.queryByText("throw-away-practice-admin")).toBeNull();
	expect(await axeFindings()).toEqual([]);
	await user.click(own.getByRole("button", { name: "Hide the password of practice-viewer" }));
	expect(own.queryByText(/throw-away/)).toBeNull();
});

test("where the site does not run, nobody is shown", async () => {
	open({ world: { practiceRunning: false } });
	await (await armed()).findByText(/^No mishap is armed\./);
	expect(screen.queryByRole("region", { name: "Its address and its people" })).toBeNull();
});

test("while something runs the site is not put back, and the dialog says so", async () => {
	const busy = { kind: "busy", operation: "import_server", act: null, startedAt: Date.now() } as const;
	const { user } = open({ fail: { resetPractice: busy } });
	await user.click(screen.getByRole("button", { name: "Put the site back" }));
	const dialog = within(await screen.findByRole("dialog"));
	await user.click(dialog.getByRole("button", { name: "Put the site back" }));
	expect(await dialog.findByRole("alert")).toHaveTextContent("Server import");
});
