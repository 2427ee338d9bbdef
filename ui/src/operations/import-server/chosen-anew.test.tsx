import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Problem, SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { useNavigation } from "@/lib/navigation";
import { serverOf } from "@/lib/target";
import { Leaving } from "@/test/leaving";
import { fill, press, renderWith, signedInSite } from "@/test/render";
import { ImportServer } from "./form";

function show(backend = fakeBackend({ world: signedInSite().world })) {
	const { site } = signedInSite();
	const page = (
		<Leaving>
			<ImportServer site={site} />
		</Leaving>
	);
	return { ...renderWith(page, backend), sent: vi.spyOn(backend, "importServer") };
}

/** Import form where each click is a new visit. */
function Visits({ site }: { site: SiteView }) {
	const { place, go } = useNavigation();
	const come = async () => {
		go({ page: "settings" });
		await Promise.resolve();
		go({ page: "operation", ...serverOf(site), key: "import_server" });
	};
	return (
		<>
			<button type="button" onClick={() => void come()}>
				Look elsewhere, and come back
			</button>
			{place.page === "operation" ? <ImportServer site={site} /> : null}
		</>
	);
}

type User = ReturnType<typeof show>["user"];

const backup = () => screen.findByRole("checkbox", { name: /^Create a safety backup first/ });
const quietly = () => screen.findByRole("checkbox", { name: /^Deactivate all webhooks before the import/ });

const without = "No safety backup will be created. You cannot undo this import with the app.";

/** Clears the safety backup, and selects the deactivation of webhooks. */
async function chooseOtherwise(user: User) {
	await user.click(await backup());
	await user.click(await quietly());
}

async function send(user: User) {
	await user.click(await screen.findByText("Path on the server"));
	await fill(user, screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await confirm(user);
}

async function confirm(user: User) {
	await fill(user, await screen.findByLabelText("Enter “City GIS” to confirm"), "City GIS");
	await press(user, "Replace City GIS");
}

async function isAsAtFirst() {
	await waitFor(async () => expect(await backup()).toBeChecked());
	expect(await quietly()).not.toBeChecked();
	expect(screen.queryByText(without)).toBeNull();
}

it("says where it is confirmed that there will be no safety backup", async () => {
	const { user } = show();
	await backup();
	expect(screen.queryByText(without)).toBeNull();
	await user.click(await backup());
	expect(screen.getByRole("region", { name: "Replace City GIS?" })).toHaveTextContent(without);
});

it("chooses the backup, its copy and the webhooks anew for the import after one that was sent", async () => {
	const { user, sent } = show();
	const copy = await screen.findByRole("checkbox", { name: "Also save the safety backup on this computer" });
	await waitFor(() => expect(copy).toBeChecked());
	await user.click(copy);
	await chooseOtherwise(user);
	await send(user);
	await user.click(await screen.findByRole("button", { name: "New import" }));
	await isAsAtFirst();
	expect(screen.getByRole("checkbox", { name: "Also save the safety backup on this computer" })).toBeChecked();
	await confirm(user);
	await screen.findByRole("button", { name: "New import" });
	expect(sent.mock.calls.map(([, , form]) => form)).toMatchObject([
		{ safetyBackup: null, deactivateWebhooks: "Server import of /backups/a.agssite" },
		{ safetyBackup: { alsoHere: true }, deactivateWebhooks: null },
	]);
});

it("chooses them anew also when the page was left while the import ran, and after one that failed half way", async () => {
	const { user, backend } = show();
	const cause = { kind: "rejected", code: 500, message: "The folder is full.", details: [] } satisfies Problem;
	const failed: Problem = { kind: "importFailed", cause, record: null, canUndo: false };
	let fail = (_: Problem) => {};
	backend.importServer = () => new Promise((_, reject) => (fail = reject));
	await chooseOtherwise(user);
	await send(user);
	await user.click(screen.getByRole("button", { name: "Leave" }));
	fail(failed);
	await user.click(screen.getByRole("button", { name: "Enter" }));
	await isAsAtFirst();
});

it("chooses them anew with the last values", async () => {
	const { user } = show();
	await send(user);
	await user.click(await screen.findByRole("button", { name: "New import" }));
	await chooseOtherwise(user);
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	await isAsAtFirst();
});

it("keeps what was chosen for an import that was not sent, and while somebody looks elsewhere", async () => {
	const { user, backend } = show();
	await chooseOtherwise(user);
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await quietly()).toBeChecked();
	backend.importServer = async () => ({ kind: "notSent", record: null, backup: null });
	await send(user);
	await screen.findByText(/^Stopped before the import was sent/);
	expect(await quietly()).toBeChecked();
	expect(await backup()).not.toBeChecked();
});

it("keeps what was chosen for the next import when another page was shown before the result of the last one is shown again", async () => {
	const { site, world } = signedInSite();
	const { user } = renderWith(<Visits site={site} />, { world });
	const lookElsewhere = () => user.click(screen.getByRole("button", { name: "Look elsewhere, and come back" }));
	await lookElsewhere();
	await send(user);
	await screen.findByRole("button", { name: "New import" });
	await lookElsewhere();
	await chooseOtherwise(user);
	await lookElsewhere();
	expect(await quietly()).toBeChecked();
	expect(await backup()).not.toBeChecked();
});
