import { readdirSync, readFileSync } from "node:fs";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { ReactElement } from "react";
import { type Backend, type FieldError, operations, type Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { ReadOnly } from "@/components/read-only";
import { Forwarding } from "@/features/settings/forwarding";
import { SettingsPage } from "@/features/settings/settings-page";
import { AddSitePage } from "@/features/sites/adding/add-site-page";
import { EditSitePage } from "@/features/sites/edit-site-page";
import { SignInForm } from "@/features/sites/signing-in/sign-in-form";
import { type RunStore, useRunStore } from "@/lib/runs";
import { targetOf } from "@/lib/target";
import { operationUis } from "@/operations";
import { renderWith, signedInSite } from "./render";

const crates = ["steward-core", "steward-plans"].map((name) => `../src-tauri/crates/${name}/src`);
const sources = crates.flatMap((crate) => {
	const files = readdirSync(crate, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".rs"));
	return files.map((file) => `${crate}/${file}`);
});
const named = sources.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/::form\(\s*"([^"]+)"/g)]);

/** Fields of a connection, which can be faulty in every request. */
const ofConnection = ["connection.caCertificate", "connection.clientCertificatePassword", "connection.route.address"];

/** All fields that the backend can name as faulty. */
const fields = [
	...new Set(named.map(([, field]) => field as string).filter((field) => !ofConnection.includes(field))),
	"accountKey",
	"participantId",
	"servers.0.address",
	"username",
];

/** Returns the fields on the page, and some that are missing there. */
function fieldsHere(): string[] {
	const isHere = (field: string) => document.querySelector(`[data-path="${field}"]`) !== null;
	return [...fields.filter(isHere), ...fields.filter((field) => !isHere(field)).slice(0, 3), ...ofConnection];
}

/** Returns the problem of a faulty field. Its text names the field. */
const fault = (field: string) => ({ kind: "form", field, fault: `of ${field}!` as FieldError }) satisfies Problem;

/** Returns how often the page shows the problem of a field. */
const said = (field: string) => document.body.textContent.split(`of ${field}!`).length - 1;

const once = (field: string) => waitFor(() => expect([field, said(field)]).toEqual([field, 1]));

const { site, session, world } = signedInSite();

/** Parts of forms, and a form that has only choices, which cannot be faulty. */
const withoutFaults = ["components/dialog.tsx", "components/submit-form.tsx", "features/practice/fault-form.tsx"];

test("every form asks for the faults of its fields", () => {
	const files = readdirSync("src", { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
	const windows = files.filter(
		(file) => file.endsWith(".tsx") && !file.includes(".test.") && !file.startsWith("test/"),
	);
	const lacking = windows.filter((file) => {
		const source = readFileSync(`src/${file}`, "utf8");
		return /\bSubmitForm\b/.test(source) && !/\buseFormFaults\(/.test(source);
	});
	expect(lacking.sort()).toEqual(withoutFaults);
});

test("the program names fields", () => {
	expect(fields).toEqual(expect.arrayContaining(["confirmation", "services", "pasted"]));
});

test.each(operations.map(({ key }) => key))("%s: whatever field is faulty, its page says so", async (key) => {
	let runs: RunStore | null = null;
	const Held = () => {
		runs = useRunStore();
		return null;
	};
	const { View } = operationUis[key];
	const page = (
		<>
			<View site={site} session={session} />
			<Held />
		</>
	);
	const { queries } = renderWith(page, { world });
	await screen.findByRole("heading", { level: 1 });
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	for (const field of fieldsHere()) {
		await act(() => runs?.start(key, targetOf(key, site), {}, () => Promise.reject(fault(field))));
		await once(field);
	}
});

const forms: [string, ReactElement, keyof Backend, string | RegExp][] = [
	["a site", <EditSitePage key="" site={site} />, "saveSite", "Save"],
	["a new site", <AddSitePage key="" />, "saveSite", "Add site"],
	["the address of a new site", <AddSitePage key="" />, "findSite", "Find site"],
	["a sign-in", <SignInForm key="" site={site} />, "signIn", "Sign in"],
	["the unlock", <ReadOnly key="" site={{ ...site, readOnly: true, unlockedUntil: null }} />, "unlockSite", /^Unlock/],
];

test.each(forms)("%s: whatever field is faulty, the form says so", async (_, form, command, name) => {
	const backend = fakeBackend({ world });
	let field = "";
	const { user } = renderWith(form, { ...backend, [command]: () => Promise.reject(fault(field)) });
	// The URL of a site belongs to a different form.
	for (field of fieldsHere().filter((one) => one !== "pasted" || command === "findSite")) {
		await user.click(await screen.findByRole("button", { name }));
		await once(field);
	}
});

test("a fault of a part that opens late stands at its field alone, and the field has the focus", async () => {
	const field = "connection.caCertificate";
	const backend = { ...fakeBackend({ world }), findSite: () => Promise.reject(fault(field)) };
	const { user } = renderWith(<AddSitePage />, backend);
	// A busy computer can call back before the fields are rendered.
	vi.stubGlobal("requestAnimationFrame", (then: FrameRequestCallback) => {
		queueMicrotask(() => then(0));
		return 0;
	});
	await user.click(await screen.findByRole("button", { name: "Find site" }));
	await once(field);
	await waitFor(() => expect(document.querySelector(`[data-path="${field}"]`)).toHaveFocus());
});

test("the connection of the app: whatever field is faulty, the form says so", async () => {
	const backend = fakeBackend({ world });
	let field = "";
	const { user } = renderWith(<SettingsPage site={null} />, {
		...backend,
		savePreferences: () => Promise.reject(fault(field)),
	});
	const section = within(screen.getByRole("region", { name: "Connection" }));
	for (const way of ["Use this proxy", "Connect directly"]) {
		await user.click(section.getByRole("radio", { name: way }));
		for (field of fieldsHere()) {
			await user.click(section.getByRole("button", { name: "Save connection" }));
			await once(field);
		}
	}
});

test("the log server: whatever field is faulty, the form says so", async () => {
	const backend = fakeBackend({ world });
	let field = "";
	const { user } = renderWith(<Forwarding />, {
		...backend,
		saveLogServer: () => Promise.reject(fault(field)),
		testLogServer: () => Promise.reject(fault(field)),
	});
	await user.click(await screen.findByRole("switch"));
	for (const name of ["Save log server", "Send test"]) {
		for (field of fieldsHere().filter((one) => one !== "connection.caCertificate")) {
			await user.click(screen.getByRole("button", { name }));
			await once(field);
		}
	}
});
