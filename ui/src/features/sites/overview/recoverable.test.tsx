import { act, screen, within } from "@testing-library/react";
import type { DataStores, PartRecovery, Recoverability, RecoverablePart, SiteView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { speak } from "@/messages/i18n";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { SiteOverview } from "./site-overview";

const day = 86_400_000;

function overview(recoverable: Recoverability, world: MemoryOptions["world"] = {}, more: Partial<SiteView> = {}) {
	const { site, session, world: signedIn } = signedInSite();
	const shown = { ...site, ...more };
	return renderWith(
		<WithPlace>
			<SiteOverview site={shown} session={session} />
		</WithPlace>,
		{ world: { ...signedIn, ...world, recoverable, sites: [shown] } },
	);
}

function part(server: string | null, state: PartRecovery, more: Partial<RecoverablePart> = {}): RecoverablePart {
	return { server, state, at: Date.now() - day, version: "11.3", place: null, hasWarnings: false, ...more };
}

const verified: PartRecovery = { kind: "verified" };
const backup = (at: number): DataStores => ({ kind: "backup", backup: { kind: "full", at }, checkedAt: Date.now() });

function recoverable(more: Partial<Recoverability> = {}): Recoverability {
	return {
		to: { kind: "time", at: Date.now() - 2 * day, expectedBy: null },
		parts: [part(null, verified), part("server", verified)],
		dataStores: { kind: "nothingHosted" },
		rehearsed: null,
		...more,
	};
}

const section = async (title: RegExp | string) => within(await screen.findByRole("region", { name: title }));
const rows = (of: Awaited<ReturnType<typeof section>>) =>
	of.getAllByRole("listitem").map(({ textContent }) => textContent);

test("a site is recoverable to the time of its oldest part, and its older data stores to a time of their own", async () => {
	const name = String.raw`\\nas01\nightly`;
	const place = { kind: "share", name, plan: "nightly", planName: "Nightly", set: null } as const;
	const parts = [part(null, verified, { place }), part("server", verified, { place })];
	const dataStores = backup(Date.now() - 9 * day);
	const { user } = overview(recoverable({ parts, dataStores }));
	const shown = await section(/^Recoverable to .+, data stores to .+$/);
	const [exports, data, rehearsed] = rows(shown);
	expect(exports).toMatch(
		/^Portal, 1 serverAll verified, and of version 11\.3 as the site is now2 days ago\u00a0· plan /,
	);
	expect(exports?.replace(/[\u2066-\u2069]/g, "")).toContain(`plan Nightly, on a share: ${name}`);
	expect(data).toMatch(
		/^Data storesLast full backup 9 days ago, no incremental one sinceReported by the portal, checked /,
	);
	expect(data).toContain("data is not included in any export");
	expect(rehearsed).toBe("RehearsedNeveras recorded here");
	expect(await axeFindings()).toEqual([]);
	await user.click(shown.getByRole("button", { name: "Show plan" }));
	expect(screen.getByTestId("place")).toHaveTextContent("plans city nightly");
});

test("exports of one backup set lead to it, and those of several to their plan", async () => {
	const of = (set: string) => ({ kind: "folder", name: "/srv", plan: "nightly", planName: "Nightly", set }) as const;
	const last = { place: of("2026-11-30 02-00-00") };
	const parts = [part(null, verified, last), part("server", verified, last)];
	const { user, unmount } = overview(recoverable({ parts }));
	await user.click((await section(/^Recoverable to/)).getByRole("button", { name: "Show set" }));
	expect(screen.getByTestId("place")).toHaveTextContent("backup-set city nightly 2026-11-30 02-00-00");
	unmount();

	const older = part("server", verified, { place: of("2026-11-29 02-00-00") });
	overview(recoverable({ parts: [part(null, verified, last), older] }));
	expect((await section(/^Recoverable to/)).getByRole("button", { name: "Show plan" })).toBeVisible();
});

test.each([
	[{ kind: "folder", name: "/srv/gis" }, "in the folder /srv/gis"],
	[{ kind: "share", name: "//nas/gis" }, "on a share: //nas/gis"],
	[{ kind: "bucket", name: "gis-backup" }, "in the bucket or container gis-backup"],
	[{ kind: "site", name: "/arcgis/backup" }, "on a machine of the site: /arcgis/backup"],
	[{ kind: "upload", name: "" }, "among the uploads of the server"],
] as const)("the place of an export is named: %j", async (where, text) => {
	const place = { ...where, plan: null, planName: "", set: null };
	overview(recoverable({ parts: [part("server", verified, { place })] }));
	const [exports] = rows(await section(/^Recoverable to/));
	expect(exports?.replace(/[\u2066-\u2069]/g, "")).toContain(text);
});

test("data stores that are as new as the exports need no time of their own", async () => {
	overview(recoverable({ dataStores: backup(Date.now()) }));
	expect((await section(/^Recoverable to/)).getByRole("heading").textContent).not.toContain("data stores");
});

test("hosted layers without a backup that can be seen are said in the heading, with what exports do not contain", async () => {
	const { user } = overview(recoverable({ dataStores: { kind: "missing", checkedAt: null } }));
	const shown = await section(/^Recoverable to .+, without data stores$/);
	expect(shown.getByText("The portal reports no backup")).toBeVisible();
	expect(shown.getByText(/^Exports do not contain the data of hosted layers\./)).toBeVisible();
	await user.click(shown.getByRole("button", { name: "Show help" }));
	expect(screen.getByTestId("place")).toHaveTextContent("help recoverable");
});

test.each([
	[{ kind: "notChecked" }, "Not known: not checked yet"],
	[{ kind: "notOffered" }, "Not known: portals report backups since version 11.0"],
	[{ kind: "failed", reason: "" }, "Not known: the last check failed"],
	[{ kind: "failed", reason: "HTTP 403" }, "Not known: the last check failed: HTTP 403"],
	[{ kind: "hostedNotKnown" }, /^Not known: the portal reports no backup, and/],
] as const)("data stores that are not known have their reason: %j", async (why, text) => {
	overview(recoverable({ dataStores: { kind: "notKnown", why } }));
	expect((await section(/^Recoverable to .+, data stores not known$/)).getByText(text)).toBeVisible();
});

test("exports with warnings are verified, with warnings", async () => {
	const parts = [part(null, verified), part("server", verified, { hasWarnings: true })];
	overview(recoverable({ parts }));
	const shown = await section(/^Recoverable to /);
	expect(shown.getByText("All verified, with warnings, and of version 11.3 as the site is now")).toBeVisible();
});

test("each part that cannot be restored is named, and the heading gives no time", async () => {
	const missing: PartRecovery = { kind: "fileMissing", checkedAt: Date.now() };
	const states: readonly [PartRecovery, RegExp][] = [
		[{ kind: "never" }, /^gis\.example\.org: no export$/],
		[{ kind: "otherVersion", now: "11.3" }, /export of version 11\.1 cannot be imported into version 11\.3$/],
		[missing, /the file of the export of .+ was not found, checked /],
		[{ kind: "fileChanged", checkedAt: Date.now() }, /the file of the export of .+ was changed, checked /],
	];
	for (const [state, text] of states) {
		const parts = [part(null, verified), part("server", state, { version: "11.1" })];
		const { unmount } = overview(recoverable({ to: { kind: "no" }, parts, dataStores: backup(0) }));
		const shown = await section("Not recoverable");
		expect(shown.getByText(text)).toBeVisible();
		unmount();
	}
});

test("an export that was not verified, or of a version that is not known, is neither lost nor recoverable", async () => {
	const parts = [part(null, { kind: "notVerified" }), part("server", { kind: "versionNotKnown" })];
	overview(recoverable({ to: { kind: "notKnown" }, parts }));
	const shown = await section("Recoverable: not known");
	expect(shown.getByText(/^Portal: export of .+ is not verified on this computer$/)).toBeVisible();
	expect(shown.getByText(/^gis\.example\.org: it is not known whether/)).toBeVisible();
	expect(shown.queryByText(/All verified/)).toBeNull();
});

test("a server whose machine was not checked might be another one, and the heading gives no time", async () => {
	const parts = [part(null, verified), part("server", { kind: "machineNotKnown" })];
	overview(recoverable({ to: { kind: "notKnown" }, parts }));
	const shown = await section("Recoverable: not known");
	expect(shown.getByText(/^gis\.example\.org: it is not known whether its URL leads to the same server/)).toBeVisible();
});

test("a production site without a plan, and the parts that no plan exports, are said to need one", async () => {
	for (const [of, text] of [
		[[null, "server"], /No backup plan exports this production site\. Create a plan\./],
		[[null], /No backup plan exports Portal\. Add them to a plan\./],
	] as const) {
		const about = { kind: "noPlan" as const, parts: [...of] };
		const concerns = [{ tone: "warnings" as const, server: null, at: Date.now(), about }];
		const { unmount } = overview(recoverable(), { concerns });
		const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
		expect(await attention.findByText(text)).toBeVisible();
		unmount();
	}
});

test("what was rehearsed has its time and site, how it ended, and its receipt", async () => {
	const ended = { record: "r-9", outcome: "warnings" as const, back: 1, of: 2 };
	const rehearsed = { at: Date.now() - 41 * day, site: "test", siteName: "City test", ...ended };
	overview(recoverable({ rehearsed }));
	const shown = await section(/^Recoverable to/);
	expect(shown.getByText(/^41 days ago on .?City test.? · 1 of 2 parts back$/)).toBeVisible();
	expect(shown.getByRole("button", { name: "Show receipt" })).toBeVisible();
	await act(() => speak("de"));
	expect(
		(await section(/^Wiederherstellbar bis/)).getByText(/^vor 41 Tagen auf .?City test.? · 1 von 2 Teilen/),
	).toBeVisible();
	await act(() => speak("en"));
});

test("a deployment without exports says so in place of a time", async () => {
	overview(recoverable({ to: { kind: "notOffered" } }), {}, { deploymentType: "kubernetes" });
	const shown = await section("Recoverable");
	expect(shown.getByText("Exports are not supported by this deployment type.")).toBeVisible();
	expect(shown.queryByRole("list")).toBeNull();
});
