import { act, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { vi } from "vitest";
import type { AlertsView, ChannelView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { seed } from "@/bridge/fake-backend/seed";
import { held, Leaving } from "@/test/leaving";
import { axeFindings, renderWith } from "@/test/render";
import { Tell } from "./tell";

const at = (changes: Partial<AlertsView>) => ({ alerts: { ...seed().alerts, ...changes } });

const teams: ChannelView = {
	channel: {
		id: "1",
		name: "On call",
		means: { kind: "teams", origin: "https://prod.example.org" },
		tellsAllWell: false,
	},
	isAllowed: true,
	last: null,
};

/** Form section in an editor that keeps the selected channels. */
function Editor() {
	const [chosen, setChosen] = useState<string[]>([]);
	return (
		<>
			<Tell value={chosen} onChange={setChosen} />
			<output>{chosen.join(" ")}</output>
		</>
	);
}

test("a channel is added, chosen for the plan, and tried, and its address is shown no more", async () => {
	const backend = fakeBackend();
	const { user } = renderWith(<Editor />, backend);
	await user.click(await screen.findByRole("button", { name: "Add a channel" }));
	const dialog = await screen.findByRole("dialog");
	await user.type(within(dialog).getByLabelText("Name"), "Own program");
	await user.type(within(dialog).getByLabelText("Address of the webhook"), "https://hooks.example.org/x?canary=1");
	expect(within(dialog).getByLabelText("Key to sign with")).not.toHaveAccessibleDescription(/keep the stored key/);
	await user.type(within(dialog).getByLabelText("Key to sign with"), "canary-key");
	expect(await axeFindings()).toEqual([]);
	await user.click(within(dialog).getByRole("button", { name: "Save channel" }));
	expect(await screen.findByRole("checkbox", { name: "Own program" })).toBeChecked();
	expect(screen.getByText("Webhook to hooks.example.org")).toBeInTheDocument();
	await user.click(screen.getByRole("button", { name: "Send test: Own program" }));
	expect(await screen.findByText("The receiver accepted the test.")).toBeInTheDocument();
	await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
	expect(document.body.innerHTML).not.toContain("canary");
	expect(await axeFindings()).toEqual([]);
});

test("a mail channel has the port of its encryption until another is typed, and several receivers", async () => {
	const fail: MemoryOptions["fail"] = { saveAlertChannel: wrong("to", "notAnEmail") };
	const backend = fakeBackend({ fail });
	const { user } = renderWith(<Editor />, backend);
	await user.click(await screen.findByRole("button", { name: "Add a channel" }));
	const dialog = within(await screen.findByRole("dialog"));
	await user.type(dialog.getByLabelText("Name"), "Mail");
	await user.click(dialog.getByRole("combobox", { name: "Kind" }));
	await user.click(await screen.findByRole("option", { name: "Mail" }));
	expect(dialog.getByLabelText("Port")).toHaveValue("587");
	await user.click(dialog.getByRole("combobox", { name: "Encryption" }));
	await user.click(await screen.findByRole("option", { name: "TLS" }));
	expect(dialog.getByLabelText("Port")).toHaveValue("465");
	await user.type(dialog.getByLabelText("Mail server"), "mail.example.org");
	await user.type(dialog.getByLabelText("Sender"), "steward@example.org");
	await user.type(dialog.getByLabelText("Receivers"), "gis");
	await user.click(dialog.getByRole("button", { name: "Save channel" }));
	await waitFor(() => expect(dialog.getByLabelText("Receivers")).toHaveAccessibleDescription(/valid email address/));
	delete fail.saveAlertChannel;
	await user.type(dialog.getByLabelText("Receivers"), "@example.org, on-call@example.org");
	await user.click(dialog.getByRole("button", { name: "Save channel" }));
	await screen.findByText("Mail to gis@example.org and on-call@example.org");
	const means = (await backend.alerts()).channels[0]?.channel.means;
	expect(means).toMatchObject({ port: 465, encryption: "tls", to: ["gis@example.org", "on-call@example.org"] });
});

test("a channel is told that all is well only if that is chosen, and a heartbeat cannot be", async () => {
	const backend = fakeBackend({ world: at({ channels: [teams] }) });
	const { user } = renderWith(<Editor />, backend);
	await user.click(await screen.findByRole("button", { name: "Edit On call" }));
	const dialog = within(await screen.findByRole("dialog"));
	const wish = dialog.getByLabelText(/^Also tell when all is well/);
	expect(wish).not.toBeChecked();
	expect(dialog.getByText(/^Once a day, for all sites/)).toBeVisible();
	await user.click(wish);
	await user.click(dialog.getByRole("button", { name: "Save channel" }));
	await waitFor(async () => expect((await backend.alerts()).channels[0]?.channel.tellsAllWell).toBe(true));
	await user.click(screen.getByRole("button", { name: "Edit On call" }));
	const again = within(await screen.findByRole("dialog"));
	expect(again.getByLabelText(/^Also tell when all is well/)).toBeChecked();
	await user.click(again.getByRole("combobox", { name: "Kind" }));
	await user.click(await screen.findByRole("option", { name: "Heartbeat" }));
	expect(again.queryByLabelText(/^Also tell/)).toBeNull();
});

test("a test that the receiver rejects shows its words, and one that Teams accepts promises nothing", async () => {
	const fault = { kind: "rejected", status: 403, said: "invalid_token" } as const;
	const { user, unmount } = renderWith(<Editor />, { world: { ...at({ channels: [teams] }), alertFault: fault } });
	await user.click(await screen.findByRole("button", { name: "Send test: On call" }));
	expect(await screen.findByText("The receiver did not accept the alert")).toBeInTheDocument();
	expect(screen.getByText("HTTP 403 invalid_token")).toBeInTheDocument();
	unmount();
	const again = renderWith(<Editor />, { world: at({ channels: [teams] }) });
	await again.user.click(await screen.findByRole("button", { name: "Send test: On call" }));
	expect(await screen.findByText(/does not mean that it was posted/)).toBeInTheDocument();
});

test("an alert that was not sent is told with its reason", async () => {
	const last = { at: Date.UTC(2026, 10, 27, 2), fault: { kind: "keyring", said: "locked" } } as const;
	renderWith(<Editor />, { world: at({ channels: [{ ...teams, last }] }) });
	expect(await screen.findByText("The keyring could not be read")).toBeInTheDocument();
	expect(screen.getByText(/^Not sent .* The app retries for one day\.$/)).toBeInTheDocument();
});

test("a test alert that was not sent is not said to be sent again", async () => {
	const alertFault = { kind: "keyring", said: "locked" } as const;
	const { user } = renderWith(<Editor />, { world: { ...at({ channels: [teams] }), alertFault } });
	await user.click(await screen.findByRole("button", { name: "Send test: On call" }));
	expect(await screen.findByText("The keyring could not be read")).toBeInTheDocument();
	expect(screen.queryByText(/retries/)).toBeNull();
});

test("where the organization forbids the desktop, the desktop is not named as a receiver", async () => {
	renderWith(<Editor />, { world: at({ channels: [], allowed: ["teams"] }) });
	expect(await screen.findByText(/^Your organization does not allow desktop notifications/)).toBeInTheDocument();
	expect(screen.queryByText(/on the desktop/)).toBeNull();
});

test("a mail that some receivers got names those that did not", async () => {
	const refused = [{ address: "gone@example.org", said: "550 unknown" }];
	const last = { at: Date.UTC(2026, 10, 27, 2), fault: { kind: "someReceivers" as const, refused } };
	renderWith(<Editor />, { world: at({ channels: [{ ...teams, last }] }) });
	expect(await screen.findByText("The mail server accepted the mail for some receivers only")).toBeInTheDocument();
	expect(screen.getByText("gone@example.org: 550 unknown")).toBeInTheDocument();
	expect(screen.getByText(/^Sent to some receivers/)).toBeInTheDocument();
});

test("a test says nothing of a channel that was changed since", async () => {
	const { user } = renderWith(<Editor />, { world: at({ channels: [teams] }) });
	await user.click(await screen.findByRole("button", { name: "Send test: On call" }));
	await screen.findByText(/accepted the test/);
	await user.click(screen.getByRole("button", { name: "Edit On call" }));
	const dialog = within(await screen.findByRole("dialog"));
	await user.type(dialog.getByLabelText(/^Address/), "https://prod.example.org/another");
	await user.click(dialog.getByRole("button", { name: "Save channel" }));
	await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
	expect(screen.queryByText(/accepted the test/)).not.toBeInTheDocument();
});

test("the end of a save closes no dialog that was opened since", async () => {
	const second = { ...teams, channel: { ...teams.channel, id: "2", name: "Office" } };
	const backend = fakeBackend({ world: at({ channels: [teams, second] }) });
	const { user } = renderWith(<Editor />, backend);
	let end = () => {};
	const { saveAlertChannel } = backend;
	backend.saveAlertChannel = async (form) => {
		await new Promise<void>((resolve) => (end = resolve));
		return saveAlertChannel(form);
	};
	await user.click(await screen.findByRole("button", { name: "Edit On call" }));
	await user.click(await screen.findByRole("button", { name: "Save channel" }));
	await user.click(screen.getByRole("button", { name: "Cancel" }));
	await user.click(await screen.findByRole("button", { name: "Edit Office" }));
	await screen.findByDisplayValue("Office");
	await act(async () => end());
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(screen.getByDisplayValue("Office")).toBeVisible();
});

test("a fault of a channel is at its own field, and not at that of the form behind the dialog", async () => {
	const focused = vi.fn();
	const form = (
		<>
			<input data-path="name" aria-label="Name of the plan" onFocus={focused} />
			<Editor />
		</>
	);
	const fail = { saveAlertChannel: wrong("name", "nameTaken") };
	const { user } = renderWith(form, { world: at({ channels: [teams] }), fail });
	await user.click(await screen.findByRole("button", { name: "Add a channel" }));
	const dialog = within(await screen.findByRole("dialog"));
	await user.type(dialog.getByLabelText("Name"), "On call");
	await user.type(dialog.getByLabelText("Address of the webhook"), "https://hooks.example.org/x");
	await user.click(dialog.getByRole("button", { name: "Save channel" }));
	await waitFor(() => expect(dialog.getByLabelText("Name")).toHaveFocus());
	expect(dialog.getByLabelText("Name")).toBeInvalid();
	expect(focused).not.toHaveBeenCalled();
});

test("a channel is deleted after a question, and is not chosen any more", async () => {
	const { user } = renderWith(<Editor />, { world: at({ channels: [teams] }) });
	await user.click(await screen.findByRole("checkbox", { name: "On call" }));
	expect(screen.getByText("1")).toBeInTheDocument();
	await user.click(screen.getByRole("button", { name: "Delete On call" }));
	await user.click(await screen.findByRole("button", { name: "Delete channel" }));
	await waitFor(() => expect(screen.queryByRole("checkbox", { name: "On call" })).not.toBeInTheDocument());
	expect(screen.queryByText("1")).not.toBeInTheDocument();
});

test("what the organization decides is shown: no alerts, only some channels, or at least one", async () => {
	const { unmount } = renderWith(<Editor />, { world: at({ allowed: [] }) });
	expect(await screen.findByText("Your organization does not allow alerts.")).toBeInTheDocument();
	unmount();
	const channels = [{ ...teams, isAllowed: false }];
	renderWith(<Editor />, { world: at({ allowed: ["mail"], channels, isRequired: true }) });
	expect(await screen.findByText("Your organization does not allow this channel.")).toBeInTheDocument();
	expect(screen.getByRole("checkbox", { name: "On call" })).toBeDisabled();
	expect(screen.getByText(/does not allow desktop notifications/)).toBeInTheDocument();
	expect(screen.getByText("Your organization requires a channel besides the desktop.")).toBeInTheDocument();
});

test("a channel that is deleted after the editor was left changes nothing there", async () => {
	const backend = fakeBackend({ world: at({ channels: [teams] }) });
	const deletion = held(backend.deleteAlertChannel);
	backend.deleteAlertChannel = deletion.command;
	const onChange = vi.fn();
	const { user, queries } = renderWith(
		<Leaving>
			<Tell value={["1"]} onChange={onChange} />
		</Leaving>,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "Delete On call" }));
	await user.click(await screen.findByRole("button", { name: "Delete channel" }));
	await user.click(screen.getByRole("button", { name: "Leave" }));
	deletion.release();
	await waitFor(() => expect(queries.isMutating()).toBe(0));
	await act(async () => {});
	expect(onChange).not.toHaveBeenCalled();
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByText(/^No channels\./)).toBeVisible();
});
