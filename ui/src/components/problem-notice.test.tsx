import { act, screen, waitFor, within } from "@testing-library/react";
import { vi } from "vitest";
import type { Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { EndedSessionContext, SignInRequestContext } from "@/lib/navigation";
import { held, Leaving } from "@/test/leaving";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { ProblemNotice } from "./notice";

const onFullDisk = { kind: "file", path: "/srv/exports/x.agssite", message: "disk full", kept: null } as const;

const refused = (status: number | null, ...schemes: string[]): Problem => ({
	kind: "proxyRefused",
	refusal: { proxy: "http://proxy:3128", target: "gis.example.org:6443", status, schemes },
});

const inactive = { from: Date.UTC(2026, 2, 4, 10), to: Date.UTC(2026, 2, 4, 10, 4) };
const notActive = { service: "Roads.FeatureServer", webhook: "Notify", message: "No." };

/** Problems that an operation with an unknown outcome can end with. */
const withUnknownOutcome: Problem[] = [
	{ kind: "inFront", message: "403" },
	{ kind: "rejected", code: 500, message: "Timeout.", details: [] },
	{ kind: "signIn", site: "city", server: null },
	{ kind: "redirected", to: "https://other.example.org" },
	{ kind: "unreadable", expected: "an export result", excerpt: "<html>" },
	...(["send", "wait", "lost", "read", "short", "lateCertificate"] as const).map(
		(stage): Problem => ({ kind: "unreachable", stage, message: "" }),
	),
];

test.each(withUnknownOutcome)(
	"the cause of an unknown outcome does not say that the site did nothing: %j",
	(problem) => {
		renderWith(<ProblemNotice problem={problem} outcome="unknown" />);
		const notice = screen.getByRole("alert");
		expect(notice).toHaveTextContent("Check the outcome before you start the operation again");
		expect(notice).not.toHaveTextContent(
			/nothing was (sent|changed)|not (sent to the site|processed|reach)|try again|no effect/i,
		);
	},
);

const problems: [Problem, title: string, says: RegExp][] = [
	[{ kind: "form", field: "name", fault: "required" }, "Some fields are invalid", /Enter a value/],
	[
		{ kind: "form", field: "connection.caCertificate", fault: "notACertificate" },
		"The connection settings are invalid",
		/CA certificate: No certificate could be read from this path\..*“Proxy and certificates” of the site/,
	],
	[
		{ kind: "rejected", code: 500, message: "Unable to write to the location.", details: ["Check the share."] },
		"The site rejected the request",
		/Unable to write to the location.*Check the share/,
	],
	[
		{ kind: "rejected", code: 403, message: "Forbidden", details: [] },
		"The site rejected the request",
		/does not have the required privilege/,
	],
	[
		{ kind: "rejected", code: 403, message: "You do not have permissions for this.", details: [] },
		"The site rejected the request",
		/does not have the required privilege/,
	],
	[
		{ kind: "rejected", code: 403, message: "The site is in maintenance mode.", details: [] },
		"The site rejected the request",
		/Resolve the reported error/,
	],
	[
		{ kind: "inFront", message: "Not allowed through the web adaptor." },
		"A web adaptor or proxy responded",
		/Not allowed through the web adaptor\..*administration URL/,
	],
	[
		{ kind: "rejected", code: null, message: "No.", details: [] },
		"The site rejected the request",
		/returned by the site:No\./,
	],
	[
		{ kind: "rejected", code: null, message: "", details: ["Why."] },
		"The site rejected the request",
		/returned by the site:Why\./,
	],
	[
		{ kind: "rejected", code: 500, message: "", details: [] },
		"The site rejected the request",
		/error 500 without a message.*logs/,
	],
	[
		{ kind: "rejected", code: null, message: "", details: [] },
		"The site rejected the request",
		/without a code or a message/,
	],
	[
		{ kind: "noResponse", message: "timeout" },
		"No response received",
		/a portal that does not support checks might have exported/,
	],
	[{ kind: "signIn", site: "city", server: null }, "Sign in to continue", /has expired/],
	[{ kind: "tokenRenewed" }, "The token was rejected and renewed", /Nothing was changed.*Start the operation again/],
	[
		{ kind: "notRenewed", cause: { kind: "rejected", code: 500, message: "The database is down.", details: [] } },
		"Could not renew the session",
		/no effect.*The database is down\..*Try again/,
	],
	[{ kind: "unreachable", stage: "connect", message: "rejected" }, "The site cannot be reached", /Nothing was sent/],
	[
		{ kind: "unreachable", stage: "tls", message: "protocol version" },
		"Could not establish a secure connection",
		/was not sent.*uses HTTPS/,
	],
	[
		{ kind: "unreachable", stage: "tlsVersions", message: "" },
		"The server supports old versions of TLS only",
		/TLS 1.2/,
	],
	[
		{ kind: "unreachable", stage: "lateCertificate", message: "" },
		"The server asked for the client certificate after the request",
		/clientcertnegotiation=enable/,
	],
	[
		{ kind: "unreachable", stage: "short", message: "received 600 bytes instead of 1000" },
		"The file on the server is incomplete",
		/stored file is shorter than reported/,
	],
	[refused(407), "The proxy requires a user name and a password", /proxy:3128.*Nothing was sent/],
	[refused(407, "Basic", "NTLM"), "The proxy requires a user name and a password", /Enter them/],
	[refused(407, "Negotiate", "NTLM"), "The proxy requires an authentication that is not supported", /Negotiate, NTLM/],
	[refused(403), "The proxy rejected the connection", /gis.example.org:6443.*403/],
	[refused(null), "The proxy does not respond", /proxy:3128/],
	[
		{ kind: "unreachable", stage: "send", message: "reset" },
		"The connection was lost while sending",
		/might have received the request/,
	],
	[
		{ kind: "unreachable", stage: "wait", message: "timeout" },
		"No response received",
		/might still be processing the request/,
	],
	[{ kind: "unreachable", stage: "read", message: "eof" }, "Incomplete response", /before the response was complete/],
	[{ kind: "unreadable", expected: "an export result", excerpt: "<html>" }, "Unexpected response", /an export result/],
	[{ kind: "keyring", state: "absent", message: "" }, "No keyring on this computer", /never written to files/],
	[{ kind: "keyring", state: "locked", message: "" }, "The keyring is locked", /Unlock/],
	[{ kind: "keyring", state: "slow", message: "" }, "The keyring does not respond", /behind this window/],
	[{ kind: "keyring", state: "failed", message: "" }, "The keyring returned an error", /keyring manager/],
	[
		{ kind: "unconfirmedAddress", site: "", addresses: ["https://other.example.net:6443/arcgis"] },
		"Confirm this URL",
		/Nothing was sent.*https:\/\/other\.example\.net:6443\/arcgis/,
	],
	[{ kind: "noAddress", component: "portal" }, "URL missing", /Add the portal URL/],
	[
		{ kind: "busy", siteName: "City GIS", operation: "export_portal", act: null, startedAt: Date.now() },
		"Another operation is running on this site",
		/Portal export has been running on City GIS since/,
	],
	[
		{ kind: "tooOld", needs: "11.1", has: "10.9" },
		"Version not supported",
		/requires version 11\.1 or later\. The portal or server for it has version 10\.9/,
	],
	[{ kind: "noDialog", message: "no portal" }, "Could not open the file dialog", /xdg-desktop-portal/],
	[
		{ kind: "file", path: "/srv/x.json", message: "denied", kept: null, full: null },
		"Could not read or write the file",
		/cannot be used:\/srv\/x\.jsonCheck the path/,
	],
	[
		{ kind: "file", path: "/srv/x.agssite", message: "in use", kept: "/srv/.x.part", full: null },
		"Could not read or write the file",
		/complete, but.*this path:\/srv\/x\.agssiteComplete file: \/srv\/\.x\.partAnother program/,
	],
	[
		{ ...onFullDisk, full: { disk: "/mnt/nas", folder: "/mnt/nas/exports", isQuota: false } },
		"The disk is full",
		/no space left on \/mnt\/nas for the files in \/mnt\/nas\/exports\..*another disk/,
	],
	[
		{ ...onFullDisk, full: { disk: "D:", folder: "D:\\exports", isQuota: true } },
		"The disk is full",
		/account has used all.*on D:, so nothing was written to D:\\exports\..*quota/,
	],
	[
		{
			kind: "notRecorded",
			reason: "diskFull",
			message: "",
			full: { disk: "C:", folder: "C:\\data", isQuota: false },
		},
		"Could not record in the history",
		/Nothing was sent.*no space left on C: for the files in C:\\data\./,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "otherServer", server: "Imagery" } },
		"This entry belongs to another server",
		/server “Imagery”.*Select that server/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "otherServer", server: "" } },
		"This entry belongs to a server that was removed",
		/no longer part of this site.*Add the server with the same URL/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "hiddenField", webhook: "Notify", field: "hookUrl" } },
		"Cannot edit this webhook",
		/Nothing was sent for the webhook “Notify”.*masks hookUrl.*on the server/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "restoredAlready" } },
		"This entry is already resolved",
		/Nothing was sent.*reactivated or marked as resolved/,
	],
	[
		{ kind: "safetyBackupFailed", step: "notStored", cause: null },
		"The import was not sent",
		/Nothing was imported.*without a safety backup/,
	],
	[
		{
			kind: "webhooksWereInactive",
			cause: { kind: "safetyBackupFailed", step: "notStored", cause: null },
			webhooks: { services: 9, active: 52, gone: [], failed: [], unknown: [], notRead: null, inactive },
		},
		"Nothing was imported",
		/52 webhooks were inactive from .* to .*Payloads of that time are lost.*active again.*not among the uploads/,
	],
	[
		{
			kind: "webhooksWereInactive",
			cause: { kind: "signIn", site: "city", server: null },
			webhooks: { services: 1, active: 51, gone: [], failed: [notActive], unknown: [], notRead: null, inactive },
		},
		"Not all webhooks were active again",
		/51 webhooks were inactive from .* not all webhooks .* were active again.*Roads.FeatureServer: Notify/,
	],
	[
		{
			kind: "webhooksWereInactive",
			cause: { kind: "signIn", site: "city", server: null },
			webhooks: { services: 1, active: 0, gone: [], failed: [notActive], unknown: [], notRead: null, inactive },
		},
		"Not all webhooks were active again",
		/^(?!.*were inactive from).*not all webhooks .* were active again/,
	],
	[
		{
			kind: "webhooksWereInactive",
			cause: { kind: "signIn", site: "city", server: null },
			webhooks: { services: 1, active: 0, gone: [], failed: [], unknown: [notActive], notRead: null, inactive },
		},
		"Some webhooks might have been inactive",
		/some webhooks .* might have been inactive at the end/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "storedDiffers", stored: 2_097_229, size: 3_145_805 } },
		"The stored file differs from this file",
		/stored 2,097,229 bytes.* has 3,145,805 bytes.*Delete the file/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "contactChanged", contact: "Ana Ito, ana@example.org" } },
		"The contact was changed meanwhile",
		/Nothing was sent.*is now: Ana Ito, ana@example.org.*send it again/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "safetyBackupReplaced", file: "/backups/before.portalsite" } },
		"The safety backup was replaced",
		/Nothing was sent.*“\/backups\/before.portalsite”.*import that copy/,
	],
	[
		{ kind: "safetyBackupMissing", local: null },
		"The safety backup is no longer on the server",
		/Nothing was sent.*not among the uploads of the server/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "lockedMeanwhile" } },
		"The import was not sent",
		/Nothing was imported.*history shows the safety backup/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "searchGone" } },
		"These search results are no longer available",
		/Search again/,
	],
	[{ kind: "unexpected", message: "index out of range" }, "The app encountered an error", /error is in the app/],
];

test.each(problems)("%j is said in words, with its details folded", async (problem, title, says) => {
	const { user } = renderWith(<ProblemNotice problem={problem} />);
	const notice = screen.getByRole("alert", { name: title });
	expect(notice.textContent).toMatch(says);
	const details = within(notice).getByRole("button", { name: "Details" });
	expect(details).toHaveAttribute("aria-expanded", "false");
	await user.click(details);
	expect(details).toHaveAttribute("aria-expanded", "true");
	expect(await within(notice).findByRole("button", { name: "Copy details" })).toBeInTheDocument();
	expect(await axeFindings()).toEqual([]);
});

test("a missing sign-in offers to sign in on that site", async () => {
	const ask = vi.fn();
	const { user } = renderWith(
		<SignInRequestContext value={ask}>
			<ProblemNotice problem={{ kind: "signIn", site: "city", server: null }} />
		</SignInRequestContext>,
	);
	await user.click(screen.getByRole("button", { name: "Sign in" }));
	expect(ask).toHaveBeenCalledWith("city", null);
});

test("what a missing sign-in left of the webhooks is said where a notice above asks for the sign-in", () => {
	const cause: Problem = { kind: "signIn", site: "city", server: null };
	const webhooks = { services: 1, active: 1, gone: [], failed: [], unknown: [], notRead: null, inactive: null };
	renderWith(
		<EndedSessionContext value="city">
			<ProblemNotice problem={{ kind: "webhooksWereInactive", cause, webhooks }} />
		</EndedSessionContext>,
	);
	expect(screen.getByRole("alert", { name: "Nothing was imported" })).toBeVisible();
	expect(screen.queryByRole("button", { name: "Sign in" })).toBeNull();
});

test("an address is confirmed by name, for its site, and nothing is sent by that", async () => {
	const adminUrl = "https://other.example.net:6443/arcgis";
	const problem: Problem = { kind: "unconfirmedAddress", site: "city", addresses: [adminUrl] };
	const { site, world } = signedInSite();
	const sites = [{ ...site, servers: site.servers.map((server) => ({ ...server, adminUrl })) }];
	const { user, backend } = renderWith(<ProblemNotice problem={problem} />, { world: { ...world, sites } });
	const confirm = vi.spyOn(backend, "confirmAddress");
	await user.click(screen.getByRole("button", { name: "Confirm other.example.net:6443" }));
	expect(await screen.findByRole("status")).toHaveTextContent("Start the operation again");
	expect(confirm).toHaveBeenCalledExactlyOnceWith("city", adminUrl);
	expect(await axeFindings()).toEqual([]);
});

test("an address that is confirmed after the page was left repeats no request", async () => {
	const adminUrl = "https://other.example.net/arcgis";
	const problem: Problem = { kind: "unconfirmedAddress", site: "city", addresses: [adminUrl] };
	const { site, world } = signedInSite();
	const sites = [{ ...site, servers: site.servers.map((server) => ({ ...server, adminUrl })) }];
	const backend = fakeBackend({ world: { ...world, sites } });
	const confirmation = held(backend.confirmAddress);
	backend.confirmAddress = confirmation.command;
	const retry = vi.fn();
	const { user, queries } = renderWith(
		<Leaving>
			<ProblemNotice problem={problem} onRetry={retry} />
		</Leaving>,
		backend,
	);
	await user.click(screen.getByRole("button", { name: "Confirm other.example.net" }));
	await user.click(screen.getByRole("button", { name: "Leave" }));
	confirmation.release();
	await waitFor(() => expect(queries.isMutating()).toBe(0));
	await act(async () => {});
	expect(retry).not.toHaveBeenCalled();
});

test("trying again is offered where it was asked for", async () => {
	const retry = vi.fn();
	const { user } = renderWith(<ProblemNotice problem={{ kind: "unexpected", message: "" }} onRetry={retry} />);
	await user.click(screen.getByRole("button", { name: "Try again" }));
	expect(retry).toHaveBeenCalledOnce();
});

test("a site's words stay words", () => {
	const message = '<img src=x onerror="alert(1)"><b>bold</b>';
	renderWith(<ProblemNotice problem={{ kind: "rejected", code: 500, message, details: [message] }} />);
	expect(screen.getByText(message)).toBeInTheDocument();
	expect(document.querySelector("img, b")).toBeNull();
});

it("keeps the buttons in reach below a message and details at their limits", async () => {
	const long = `${"x".repeat(8144)}… [8144 / 50000000 bytes]`;
	const details = Array.from({ length: 100 }, (_, at) => `${at} ${long}`);
	const problem: Problem = { kind: "rejected", code: 500, message: long, details };
	renderWith(<ProblemNotice problem={problem} onRetry={() => undefined} />);
	const quote = screen.getByRole("region", { name: "The site rejected the request" });
	expect(within(quote).getByText(long)).toBeVisible();
	const list = screen.getByRole("region", { name: "Details" });
	expect(within(list).getAllByRole("listitem")).toHaveLength(100);
	for (const scrolled of [quote, list]) {
		expect(scrolled).toHaveAttribute("tabindex", "0");
		expect(scrolled.closest("[style*=max-height]")).not.toBeNull();
	}
	expect(await axeFindings()).toEqual([]);
});

it("does not make a region of a short message", () => {
	renderWith(<ProblemNotice problem={{ kind: "rejected", code: 500, message: "No.", details: ["Why."] }} />);
	expect(screen.queryByRole("region")).toBeNull();
});
