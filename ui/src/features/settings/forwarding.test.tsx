import { screen, waitFor } from "@testing-library/react";
import type { ForwardingView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { wrong } from "@/bridge/fake-backend/problems";
import { seed } from "@/bridge/fake-backend/seed";
import { Leaving } from "@/test/leaving";
import { axeFindings, fill, renderWith } from "@/test/render";
import { Forwarding } from "./forwarding";

const at = (changes: Partial<ForwardingView>) => ({ forwarding: { ...seed().forwarding, ...changes } });
const on = { logServer: { host: "logs.example.org", port: 6514, caCertificate: "", clientCertificate: "" } };

test("a log server is entered, tested, and saved, and its state is shown from then on", async () => {
	const backend = fakeBackend();
	const { user } = renderWith(<Forwarding />, backend);
	await user.click(await screen.findByRole("switch", { name: "Forward the audit trail to a log server" }));
	await user.type(screen.getByLabelText("Log server"), "logs.example.org");
	await user.click(screen.getByRole("button", { name: "Choose CA certificate of the log server" }));
	await user.click(screen.getByRole("button", { name: "Send test" }));
	expect(await screen.findByText("The log server read the test message.")).toBeInTheDocument();
	await user.click(screen.getByRole("button", { name: "Save log server" }));
	expect(await screen.findByText("No entry was forwarded yet.")).toBeInTheDocument();
	expect((await backend.forwarding()).logServer).toEqual({
		...on.logServer,
		caCertificate: "/home/sam/certificates/city-root-ca.pem",
	});
	expect(await axeFindings()).toEqual([]);
});

test("the password of a client certificate does not stay in memory once its page is left", async () => {
	const { user } = renderWith(
		<Leaving>
			<Forwarding />
		</Leaving>,
	);
	await user.click(await screen.findByRole("switch", { name: "Forward the audit trail to a log server" }));
	await fill(user, screen.getByLabelText("Log server"), "logs.example.org");
	await user.click(screen.getByRole("button", { name: "Choose client certificate for the log server" }));
	await fill(user, await screen.findByLabelText("Password of the client certificate"), "a secret");
	await user.click(screen.getByRole("button", { name: "Leave" }));
	await user.click(screen.getByRole("button", { name: "Enter" }));
	expect(await screen.findByLabelText("Log server")).toHaveValue("logs.example.org");
	expect(screen.getByLabelText("Password of the client certificate")).toHaveValue("");
});

test("a failure is shown with its reason, and that nothing is lost", async () => {
	const fault = { kind: "certificate", said: "unknown issuer" } as const;
	const failing = { since: Date.UTC(2026, 10, 27, 12), fault };
	renderWith(<Forwarding />, {
		world: at({ ...on, last: { entry: 4_711, at: Date.UTC(2026, 10, 27, 11) }, waiting: 12, failing }),
	});
	expect(await screen.findByText(/Forwarded up to entry 4,711/)).toHaveTextContent("12 entries are to be forwarded.");
	expect(screen.getByText("The certificate of the log server is not trusted")).toBeInTheDocument();
	expect(screen.getByText(/No entry is lost/)).toBeInTheDocument();
	expect(screen.getByText("unknown issuer")).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("a test that fails says why, and saves nothing", async () => {
	const backend = fakeBackend({ world: { ...at(on), testFault: { kind: "network", said: "connection refused" } } });
	const { user } = renderWith(<Forwarding />, backend);
	await user.click(await screen.findByRole("button", { name: "Send test" }));
	expect(await screen.findByText("connection refused")).toBeInTheDocument();
	expect(screen.queryByText("The log server read the test message.")).not.toBeInTheDocument();
});

test("what the organization requires cannot be turned off, and what it forbids is not offered", async () => {
	const { unmount } = renderWith(<Forwarding />, { world: at({ ...on, rule: "required" }) });
	const toggle = await screen.findByRole("switch");
	expect(toggle).toBeDisabled();
	expect(toggle).toHaveAccessibleDescription("Required by your organization.");
	unmount();
	renderWith(<Forwarding />, { world: at({ rule: "forbidden" }) });
	expect(await screen.findByText("Your organization does not allow forwarding.")).toBeInTheDocument();
	expect(screen.queryByRole("switch")).not.toBeInTheDocument();
});

test("a required log server that is missing is told, and the allowed hosts are named", async () => {
	const { user } = renderWith(<Forwarding />, {
		world: at({ rule: "required", hosts: ["logs.example.org", "siem.example.org"] }),
		fail: { saveLogServer: wrong("host", "notAllowed") },
	});
	expect(await screen.findByText(/Your organization requires forwarding/)).toBeInTheDocument();
	await user.click(screen.getByRole("switch"));
	const host = screen.getByLabelText("Log server");
	expect(host).toHaveAccessibleDescription("Your organization allows: logs.example.org and siem.example.org.");
	await user.type(host, "logs.example.net");
	await user.click(screen.getByRole("button", { name: "Save log server" }));
	await waitFor(() => expect(host).toHaveAccessibleDescription(/Your organization does not allow this/));
});
