import { screen, within } from "@testing-library/react";
import { memoryBackend } from "@/bridge/fake-backend";
import { usualPreferences } from "@/lib/preferences";
import { speak } from "@/messages/i18n";
import { axeFindings, renderWith } from "@/test/render";
import { Diagnostics } from "./diagnostics";

test("nothing is examined before somebody asks", async () => {
	const backend = memoryBackend();
	const examine = vi.spyOn(backend, "runDiagnostics");
	renderWith(<Diagnostics site="city" />, backend);
	expect(await screen.findByRole("button", { name: "Examine" })).toBeInTheDocument();
	expect(examine).not.toHaveBeenCalled();
});

test("each finding says how it is, what was found and what to do", async () => {
	const { user } = renderWith(<Diagnostics site={null} />);
	await user.click(await screen.findByRole("button", { name: "Examine" }));

	const keyring = await screen.findByRole("status", { name: "Keyring: does not work" });
	expect(within(keyring).getByText(/Unlock the keyring/)).toBeInTheDocument();
	expect(within(keyring).getByText("Kind: Secret Service")).toBeInTheDocument();
	expect(within(keyring).getByText("Answered in: 12 ms")).toBeInTheDocument();
	const disk = screen.getByRole("status", { name: "Disk: as it should be" });
	expect(within(disk).getByText("Free space: 35.4 GB")).toBeInTheDocument();
	const policy = screen.getByRole("status", { name: "Settings of the organisation: as it should be" });
	expect(within(policy).getByText("File of the organisation: none at /etc/policy.json")).toBeInTheDocument();
	expect(screen.getByRole("status", { name: "Program: as it should be" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("the copied text is the one that the program wrote", async () => {
	const backend = memoryBackend();
	const { user } = renderWith(<Diagnostics site="city" />, backend);
	const examine = vi.spyOn(backend, "runDiagnostics");
	await user.click(await screen.findByRole("button", { name: "Examine" }));
	await user.click(await screen.findByRole("button", { name: "Copy as text" }));

	expect(examine).toHaveBeenCalledWith("city");
	expect(await navigator.clipboard.readText()).toMatch(/^Site Steward, examined .*\n\nKeyring: does not work/);
	expect(screen.queryByText(/^The copied text is in English/)).toBeNull();
});

test("where the window speaks another language, it says that the copied text is English", async () => {
	await speak("de");
	const preferences = { preferences: { ...usualPreferences, language: "de" as const }, setAside: null, policy: null };
	const { user } = renderWith(<Diagnostics site={null} />, {}, preferences);
	await user.click(await screen.findByRole("button", { name: "Untersuchen" }));
	expect(await screen.findByText(/^Der kopierte Text ist auf Englisch/)).toBeInTheDocument();
});

test("an examination that fails says so", async () => {
	const backend = memoryBackend({
		fail: { runDiagnostics: { kind: "unexpected", message: "there is no saved site" } },
	});
	const { user } = renderWith(<Diagnostics site="gone" />, backend);
	await user.click(await screen.findByRole("button", { name: "Examine" }));
	expect(await screen.findByRole("alert")).toBeInTheDocument();
});
