import { screen, within } from "@testing-library/react";
import { vi } from "vitest";
import type { Problem } from "@/bridge";
import { SignInRequestContext } from "@/lib/sign-in-request";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { ProblemNotice } from "./problem-notice";

const problems: [Problem, title: string, says: RegExp][] = [
	[{ kind: "form", field: "name", fault: "required" }, "The form is not complete", /Fill this in/],
	[
		{ kind: "refused", code: 500, message: "Unable to write to the location.", details: ["Check the share."] },
		"The site refused",
		/Unable to write to the location.*Check the share/,
	],
	[{ kind: "refused", code: 403, message: "Forbidden", details: [] }, "The site refused", /lacks a privilege/],
	[
		{ kind: "refused", code: 403, message: "You do not have permissions for this.", details: [] },
		"The site refused",
		/lacks a privilege/,
	],
	[
		{ kind: "refused", code: 403, message: "The site is in maintenance mode.", details: [] },
		"The site refused",
		/Correct what the site names/,
	],
	[
		{ kind: "inFront", message: "Not allowed through the web adaptor." },
		"Something in front of the site rejected the request",
		/Not allowed through the web adaptor\..*administration URL/,
	],
	[{ kind: "refused", code: null, message: "No.", details: [] }, "The site refused", /own words:No\./],
	[{ kind: "refused", code: null, message: "", details: ["Why."] }, "The site refused", /own words:Why\./],
	[{ kind: "refused", code: 500, message: "", details: [] }, "The site refused", /code 500 and no message.*logs/],
	[{ kind: "refused", code: null, message: "", details: [] }, "The site refused", /without a code or a message/],
	[
		{ kind: "noResponse", message: "timeout" },
		"No response received",
		/a check exports nothing on a portal that supports it/,
	],
	[{ kind: "signIn", site: "city", server: null }, "Sign in to go on", /may have run out/],
	[
		{ kind: "notRenewed", cause: { kind: "refused", code: 500, message: "The database is down.", details: [] } },
		"The session could not be renewed",
		/no effect.*The database is down\..*Try again/,
	],
	[{ kind: "unreachable", stage: "connect", message: "refused" }, "The site cannot be reached", /Nothing was sent/],
	[
		{ kind: "unreachable", stage: "tls", message: "protocol version" },
		"A secure connection could not be established",
		/was not sent.*uses HTTPS/,
	],
	[
		{ kind: "unreachable", stage: "proxy", message: "407" },
		"The proxy did not let the request through",
		/Nothing was sent/,
	],
	[{ kind: "unreachable", stage: "send", message: "reset" }, "The connection broke while sending", /not certain/],
	[
		{ kind: "unreachable", stage: "wait", message: "timeout" },
		"The site did not answer",
		/might have received the request/,
	],
	[{ kind: "unreachable", stage: "read", message: "eof" }, "The answer broke off", /before the answer was complete/],
	[
		{ kind: "unreadable", expected: "an export result", excerpt: "<html>" },
		"The answer cannot be understood",
		/an export result/,
	],
	[{ kind: "vault", state: "absent", message: "" }, "No keyring on this computer", /never written to a file/],
	[{ kind: "vault", state: "locked", message: "" }, "The keyring is locked", /Unlock/],
	[{ kind: "vault", state: "slow", message: "" }, "The keyring does not answer", /behind this window/],
	[{ kind: "vault", state: "failed", message: "" }, "The keyring reported a fault", /Copy the details/],
	[
		{ kind: "unconfirmedAddress", site: "", addresses: ["https://other.example.net:6443/arcgis"] },
		"This address needs your confirmation",
		/Nothing was sent to it.*https:\/\/other\.example\.net:6443\/arcgis/,
	],
	[{ kind: "noAddress", component: "portal" }, "This site has no address for it", /Add the portal address/],
	[
		{ kind: "busy", operation: "export_portal", act: null, startedAt: Date.now() },
		"Another operation is running on this site",
		/Portal export has been running since/,
	],
	[{ kind: "tooOld", needs: "11.1", has: "10.9" }, "This site is too old for it", /needs 11\.1; this site has 10\.9/],
	[{ kind: "noDialog", message: "no portal" }, "The file dialog did not open", /xdg-desktop-portal/],
	[{ kind: "file", path: "/srv/x.json", message: "disk full" }, "The file cannot be used", /\/srv\/x\.json.*disk full/],
	[
		{ kind: "preconditionFailed", why: { kind: "otherServer", server: "Imagery" } },
		"This was done on another server",
		/server “Imagery”.*Choose that server/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "restoredAlready" } },
		"This entry is already resolved",
		/reactivated or marked as resolved.*Nothing was sent/,
	],
	[
		{ kind: "safetyBackupFailed", step: "notStored", cause: null },
		"The import was not sent",
		/Nothing was imported.*without a safety backup/,
	],
	[
		{ kind: "safetyBackupMissing", local: null },
		"The stored export is gone",
		/not among the uploads of the server.*Nothing was sent/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "lockedMeanwhile" } },
		"The import was not sent",
		/safety backup is in the history\. Nothing was imported/,
	],
	[
		{ kind: "preconditionFailed", why: { kind: "searchGone" } },
		"The program no longer holds these items",
		/Search again/,
	],
	[
		{ kind: "unexpected", message: "index out of range" },
		"Something unexpected happened in the program",
		/fault of the program/,
	],
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

test("trying again is offered where it was asked for", async () => {
	const retry = vi.fn();
	const { user } = renderWith(<ProblemNotice problem={{ kind: "unexpected", message: "" }} onRetry={retry} />);
	await user.click(screen.getByRole("button", { name: "Try again" }));
	expect(retry).toHaveBeenCalledOnce();
});

test("a site's words stay words", () => {
	const message = '<img src=x onerror="alert(1)"><b>bold</b>';
	renderWith(<ProblemNotice problem={{ kind: "refused", code: 500, message, details: [message] }} />);
	expect(screen.getByText(message)).toBeInTheDocument();
	expect(document.querySelector("img, b")).toBeNull();
});
