import { screen, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { usualPreferences } from "@/lib/preferences";
import { speak } from "@/messages/i18n";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { Diagnostics } from "./about";

test("nothing is examined before somebody asks", async () => {
	const backend = fakeBackend();
	const examine = vi.spyOn(backend, "runDiagnostics");
	renderWith(<Diagnostics site="city" />, backend);
	expect(await screen.findByRole("button", { name: "Run diagnostics" })).toBeInTheDocument();
	expect(examine).not.toHaveBeenCalled();
});

test("each finding says how it is, what was found and what to do", async () => {
	const { user } = renderWith(<Diagnostics site={null} />);
	await user.click(await screen.findByRole("button", { name: "Run diagnostics" }));

	const keyring = await screen.findByRole("status", { name: "Keyring: Error" });
	expect(within(keyring).getByText(/Unlock the keyring/)).toBeInTheDocument();
	expect(within(keyring).getByText("Type: Secret Service")).toBeInTheDocument();
	expect(within(keyring).getByText("Response time: 12 ms")).toBeInTheDocument();
	const disk = screen.getByRole("status", { name: "Disk: OK" });
	expect(within(disk).getByText("Free space: 35.4 GB")).toBeInTheDocument();
	const policy = screen.getByRole("status", { name: "Policy file: OK" });
	expect(within(policy).getByText("Policy file: none at /etc/policy.json")).toBeInTheDocument();
	expect(screen.getByRole("status", { name: "App: OK" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("a site whose clock is behind is not said to be ahead by less than nothing", async () => {
	const backend = fakeBackend();
	const facts = [{ name: "siteBehind" as const, value: { kind: "span" as const, millis: 130 } }];
	const findings = [{ check: "clock" as const, state: "ok" as const, facts, advice: null }];
	const { user } = renderWith(<Diagnostics site="city" />, {
		...backend,
		runDiagnostics: async () => ({ findings, text: "" }),
	});
	await user.click(await screen.findByRole("button", { name: "Run diagnostics" }));
	expect(await screen.findByText("Site is behind by: 130 ms")).toBeInTheDocument();
});

test("the copied text is the one that the program wrote", async () => {
	const backend = fakeBackend({ world: signedInSite().world });
	const { user } = renderWith(<Diagnostics site="city" />, backend);
	const examine = vi.spyOn(backend, "runDiagnostics");
	await user.click(await screen.findByRole("button", { name: "Run diagnostics" }));
	await user.click(await screen.findByRole("button", { name: "Copy as text" }));

	expect(examine).toHaveBeenCalledWith("city");
	expect(await navigator.clipboard.readText()).toMatch(/^Site Steward, examined .*\n\nKeyring: Error/);
	expect(screen.queryByText(/^The copied text is in English/)).toBeNull();
});

test("where the window speaks another language, it says that the copied text is English", async () => {
	await speak("de");
	const preferences = { preferences: { ...usualPreferences, language: "de" as const }, setAside: [], policy: null };
	const { user } = renderWith(<Diagnostics site={null} />, {}, preferences);
	await user.click(await screen.findByRole("button", { name: "Diagnose starten" }));
	expect(await screen.findByText(/^Der kopierte Text ist auf Englisch/)).toBeInTheDocument();
});

test("an examination that fails says so", async () => {
	const backend = fakeBackend({
		fail: { runDiagnostics: { kind: "unexpected", message: "there is no saved site" } },
	});
	const { user } = renderWith(<Diagnostics site="gone" />, backend);
	await user.click(await screen.findByRole("button", { name: "Run diagnostics" }));
	expect(await screen.findByRole("alert")).toBeInTheDocument();
});
