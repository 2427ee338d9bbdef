import { Notifications, notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { OperationKey, Outcome, Problem, RunResult, Stage } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { ProblemNotice } from "@/components/notice";
import { OperationScreen, type OperationScreenProps } from "@/components/operation-screen";
import { useOperation } from "@/lib/runs";
import { axeFindings, certificateProblem, renderWith, signedInSite } from "@/test/render";

const { site, world } = signedInSite();

type Parts<T> = Pick<OperationScreenProps<T, void>, "operation" | "handle" | "report"> &
	Partial<Pick<OperationScreenProps<T, void>, "findOut" | "repeats">>;

/** Operation screen whose form is a single button. */
function Screen<T>({ findOut = () => "", ...parts }: Parts<T>) {
	const send = (
		<button type="button" onClick={() => parts.handle.start()}>
			send
		</button>
	);
	return <OperationScreen site={site} form={send} findOut={findOut} again="Once more" {...parts} />;
}

function Exporting({ operation = "export_server" }: { operation?: OperationKey }) {
	const handle = useOperation(operation, site, async () => ({
		kind: "done" as const,
		record: null,
		at: 0,
		took: 1,
		report: null,
	}));
	return (
		<main id="content" tabIndex={-1}>
			<Screen operation={operation} handle={handle} report={() => <p>it is done</p>} />
		</main>
	);
}

it("begins the form at its first line again, wherever the result was scrolled to", async () => {
	const { user } = renderWith(<Exporting />, { world });
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	const main = screen.getByRole("main");
	const scrollTo = vi.fn();
	main.scrollTo = scrollTo;
	await user.click(screen.getByRole("button", { name: "Once more" }));
	expect(screen.getByRole("button", { name: "send" })).toBeVisible();
	expect(scrollTo).toHaveBeenCalledWith({ top: 0 });
	expect(main).toHaveFocus();
});

it("shows the news where the head of the page fills the window, and leaves it alone where there is room", async () => {
	const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
	const place = vi.spyOn(HTMLElement.prototype, "getBoundingClientRect");
	place.mockReturnValue(new DOMRect(0, window.innerHeight - 20, 600, 400));
	const { user } = renderWith(<Exporting />, { world });
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	expect(scrolled.mock.contexts.at(-1)).toHaveTextContent("it is done");
	expect(scrolled.mock.contexts.at(-1)).toHaveFocus();

	await user.click(screen.getByRole("button", { name: "Once more" }));
	place.mockReturnValue(new DOMRect(0, 200, 600, 400));
	scrolled.mockClear();
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	expect(scrolled).not.toHaveBeenCalled();
});

const notSent = "The operation was not sent to the site.";
const rejectedBefore =
	"It was a request before the operation, such as the check of a folder. The operation was not sent to the site.";
const noEffect = "Nothing was changed on the site.";
const rejected: Problem = { kind: "rejected", code: 500, message: "No.", details: [] };
const unreachable = (stage: Stage): Problem => ({ kind: "unreachable", stage, message: "no response" });

it.each<[string, Problem, Outcome, OperationKey, effect: string | null, says?: RegExp]>([
	["that a site rejected changed nothing", rejected, "failed", "export_server", noEffect],
	["that was rejected before it was sent was not sent", rejected, "notSent", "export_server", rejectedBefore],
	["whose end is not known says nothing of it", rejected, "unknown", "export_server", null],
	["that succeeded and could not be saved says nothing of it", rejected, "succeeded", "export_server", null],
	["that only looks says nothing of it", rejected, "failed", "find_items", null],
	["that waits for another one was not sent", busy(), "notSent", "import_server", notSent],
	["of which a request before it is lost was not sent", unreachable("wait"), "notSent", "export_server", notSent],
	["of which a request before it is cut off was not sent", unreachable("lost"), "notSent", "export_server", notSent],
	[
		"of which a request before it needed a certificate was not sent, and is told how the server asks in time",
		unreachable("lateCertificate"),
		"notSent",
		"export_server",
		notSent,
		/clientcertnegotiation/,
	],
	[
		"whose file is cut off changed nothing, and says where the file ended",
		unreachable("short"),
		"failed",
		"export_server",
		noEffect,
		/Every attempt ended at the same byte.*Export again/,
	],
	["that reached no site was not sent, in words of its own", unreachable("connect"), "failed", "export_server", null],
	["whose notice says it already says it once", { kind: "tokenRenewed" }, "failed", "export_server", null],
])("an operation %s", async (_, problem, outcome, operation, effect, says = /./) => {
	const fails = async () => ({ kind: "failed" as const, problem, outcome, record: null });
	const { user } = renderWith(<Failing operation={operation} call={fails} />, { world });
	await user.click(screen.getByRole("button", { name: "send" }));
	const notice = await screen.findByRole("alert");
	for (const text of [notSent, noEffect]) {
		expect(within(notice).queryAllByText(text), text).toHaveLength(text === effect ? 1 : 0);
	}
	expect(notice).toHaveTextContent(says);
	// Only a check was sent, so the site cannot still be processing a request.
	expect(notice).not.toHaveTextContent(/might still be processing|might have received/);
	expect(await axeFindings()).toEqual([]);
});

function busy(): Problem {
	return { kind: "busy", siteName: site.name, operation: "export_server", act: null, startedAt: 0 };
}

function Failing({ operation, call }: { operation: OperationKey; call: () => Promise<RunResult<null>> }) {
	const handle = useOperation<null>(operation, site, call);
	return (
		<main>
			<Screen operation={operation} handle={handle} report={() => null} />
		</main>
	);
}

const distrusted: Problem = certificateProblem(site.id);

/** Operation on a site whose certificate must be accepted first. */
function Distrusted({ operation, sent }: { operation: OperationKey; sent: () => void }) {
	const handle = useOperation(operation, site, async () => {
		sent();
		if (!trusted.has(operation)) throw distrusted;
		return { kind: "done" as const, record: null, at: 0, took: 1, report: null };
	});
	return (
		<main id="content" tabIndex={-1}>
			<Notifications />
			<Screen operation={operation} handle={handle} report={() => <p>it is done</p>} />
		</main>
	);
}

const trusted = new Set<OperationKey>();

afterEach(() => notifications.clean());

function trusting(operation: OperationKey) {
	const backend = fakeBackend({ world });
	const trust = backend.trustCertificate;
	backend.trustCertificate = async (...given) => {
		trusted.add(operation);
		return await trust(...given);
	};
	const sent = vi.fn();
	return { ...renderWith(<Distrusted operation={operation} sent={sent} />, backend), sent };
}

it("says that a certificate was trusted, and leaves it to the person to send what changes the site", async () => {
	const { user, sent } = trusting("import_server");
	await user.click(screen.getByRole("button", { name: "send" }));
	await user.click(await screen.findByRole("button", { name: "Trust this certificate" }));
	const said = await screen.findByRole("status", { name: "Trusted the certificate of gis.example.org" });
	expect(said).toHaveTextContent("Sign in, and then start the operation.");
	expect(said.parentElement).toHaveFocus();
	expect(screen.queryByRole("button", { name: "Trust this certificate" })).toBeNull();
	expect(sent).toHaveBeenCalledTimes(1);
	expect(await axeFindings()).toEqual([]);
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
});

it("asks again by itself what only looks, once the certificate is trusted", async () => {
	const { user, sent } = trusting("find_items");
	await user.click(screen.getByRole("button", { name: "send" }));
	await user.click(await screen.findByRole("button", { name: "Trust this certificate" }));
	const done = await screen.findByText("it is done");
	expect(sent).toHaveBeenCalledTimes(2);
	await waitFor(() => expect(done.parentElement).toHaveFocus());
	expect(screen.getByText("Trusted the certificate of gis.example.org")).toBeVisible();
});

it("says in its own words what a library says of a certificate, and keeps those for the details", async () => {
	const text = "invalid peer certificate: UnhandledCriticalExtension";
	const { user } = renderWith(<ProblemNotice problem={certificateProblem(site.id, { kind: "other", text })} />);
	const card = within(screen.getByRole("alert"));
	expect(card.getByText("This computer does not accept the certificate.")).toBeVisible();
	expect(card.queryByText(text)).toBeNull();
	await user.click(card.getByRole("button", { name: "Details" }));
	expect(await card.findByText(text)).toBeVisible();
});

type Unknown = Extract<RunResult<null>, { kind: "unknown" }>;

/** Operation that ends with an unknown outcome. */
function Unknowing({ operation, end }: { operation: OperationKey; end: Partial<Unknown> }) {
	const unknown: Unknown = { kind: "unknown", record: "r-1", stopped: false, problem: null, canUndo: false, ...end };
	const handle = useOperation(operation, site, async () => unknown);
	return (
		<main id="content" tabIndex={-1}>
			<Screen
				operation={operation}
				handle={handle}
				report={() => null}
				findOut={() => "Look."}
				repeats={operation === "import_server"}
			/>
		</main>
	);
}

async function endUnknown(operation: OperationKey, end: Partial<Unknown>) {
	const view = renderWith(<Unknowing operation={operation} end={end} />, { world });
	await view.user.click(screen.getByRole("button", { name: "send" }));
	return { ...view, said: await screen.findByRole("status", { name: /Unknown/ }) };
}

const undoIt =
	"A safety backup was created before the import. If the import changed the site, undo it from its history entry.";

it("does not offer to repeat what must not be repeated until the outcome is known", async () => {
	const { unmount } = await endUnknown("import_server", {});
	expect(screen.getByRole("button", { name: "Back to the form" })).toBeVisible();
	expect(screen.queryByRole("button", { name: "Once more" })).toBeNull();
	unmount();
	await endUnknown("deactivate_webhooks", {});
	expect(screen.getByRole("button", { name: "Once more" })).toBeVisible();
});

it("says of an import of unknown outcome that it can be undone, where a safety backup was created", async () => {
	const { said, unmount } = await endUnknown("import_server", { canUndo: true });
	expect(within(said).getByText(undoIt)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	unmount();
	const { said: without } = await endUnknown("import_server", { canUndo: false });
	expect(within(without).queryByText(undoIt)).toBeNull();
});

it("tells a response that does not tell the outcome from none", async () => {
	const none = "No complete response received. City GIS might still be processing the request.";
	const unreadable = "City GIS sent a response that does not contain the outcome.";
	for (const [problem, title] of [
		[{ kind: "unreachable", stage: "wait", message: "timed out" }, none],
		[null, none],
		[{ kind: "unreadable", expected: "a status", excerpt: "<html>" }, unreadable],
		[{ kind: "redirected", to: "https://login.example.org/" }, unreadable],
		[{ kind: "inFront", message: "Bad gateway" }, unreadable],
		[{ kind: "signIn", site: site.id, server: null }, unreadable],
	] as [Problem | null, string][]) {
		const { said, user, unmount } = await endUnknown("export_server", { problem });
		expect(said).toHaveTextContent(title);
		if (problem) {
			await user.click(within(said).getByRole("button", { name: "Why the outcome is unknown" }));
			expect(await within(said).findByRole("alert")).toBeVisible();
		}
		unmount();
	}
});

const notRecorded = "Not recorded in the history";

it("says that an outcome could not be written to the history, and nothing of the kind of what leaves no record", async () => {
	const { user, unmount } = renderWith(<Exporting />, { world });
	await user.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByRole("status", { name: notRecorded })).toHaveTextContent(
		"The outcome could not be written to the history. Free disk space.",
	);
	expect(screen.getByText("it is done")).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	unmount();

	const { user: searcher } = renderWith(<Exporting operation="find_items" />, { world });
	await searcher.click(screen.getByRole("button", { name: "send" }));
	expect(await screen.findByText("it is done")).toBeVisible();
	expect(screen.queryByText(notRecorded)).toBeNull();
});

it("says of an unknown outcome as well that it could not be written to the history", async () => {
	const { unmount } = await endUnknown("export_server", { record: null });
	expect(screen.getByRole("status", { name: notRecorded })).toBeVisible();
	unmount();
	await endUnknown("export_server", { record: "r-1" });
	expect(screen.queryByText(notRecorded)).toBeNull();
});
