import { screen, within } from "@testing-library/react";
import type { Concern, Expiring, Expiry, ExpiryGap, SiteView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";
import { useSites } from "@/lib/queries/program";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { SitesPage } from "../sites-page";
import { SiteOverview } from "./site-overview";

const day = 86_400_000;

/** Returns an expiry in this number of days, at 04:00 UTC. */
function expiry(what: Expiring, days: number, more: Partial<Expiry> = {}): Expiry {
	const midnight = Math.floor(Date.now() / day) * day;
	const at = midnight + days * day + day / 6;
	return {
		site: "city",
		server: "server",
		what,
		at,
		day: new Date(at).toISOString().slice(0, 10),
		zone: null,
		planFor: null,
		days,
		isOver: days < 0,
		checkedAt: Date.now(),
		...more,
	};
}

const license: Expiring = { kind: "license", names: ["Image"] };
const certificate: Expiring = { kind: "presented", host: "gis.example.org" };

function overview(options: MemoryOptions) {
	const { site, session, world } = signedInSite();
	return renderWith(
		<WithPlace>
			<SiteOverview site={site} session={session} />
		</WithPlace>,
		{ ...options, world: { ...world, ...options.world, sites: [site] } },
	);
}

const soon = async () => within(await screen.findByRole("region", { name: "Expires soon" }));
const rows = (section: Awaited<ReturnType<typeof soon>>) =>
	section.getAllByRole("listitem").map(({ textContent }) => textContent);

test("what expires is listed with its day in UTC, what stops then, and a way on", async () => {
	const session: Expiring = { kind: "session", username: "gisadmin", plans: ["Nightly"] };
	const client: Expiring = { kind: "client", subject: "CN=gisadmin" };
	const expires = [expiry(certificate, 9), expiry(session, 28, { server: null }), expiry(client, 45, { server: null })];
	const { user } = overview({ world: { expires } });
	const section = await soon();
	const [first, second, third] = rows(section);
	expect(first).toMatch(/^Certificate of gis\.example\.org.*4:00.AM.UTC.*in 9 days.*Users and apps cannot connect/);
	expect(second).toMatch(/^Session that plan Nightly needs.*in 28 days.*The plan does not run/);
	expect(third).toMatch(/^Client certificate CN=gisadmin.*in 45 days/);
	expect(section.queryByText(/^Not known/)).toBeNull();
	expect(await axeFindings()).toEqual([]);

	await user.click(section.getByRole("button", { name: "Show help: Certificate of gis.example.org" }));
	expect(screen.getByTestId("place")).toHaveTextContent("help expires");
});

test.each<[Expiring, string | null, string]>([
	[license, "server", "Services of the server stop when it expires"],
	[license, null, "Users might not be able to sign in when it expires"],
	[certificate, "server", "Users and apps cannot connect when it expires"],
	[{ kind: "machine", machine: "GIS1", alias: "own", differs: null }, "server", "might not reach the server when it"],
	[{ kind: "authority", subject: "CN=CA" }, null, "The app cannot connect when it expires, if it issued"],
	[{ kind: "client", subject: "CN=gisadmin" }, null, "The site rejects connections of this app when it expires"],
	[{ kind: "session", username: "ops", plans: ["Nightly"] }, null, "The plan does not run when it expires"],
	[{ kind: "session", username: "ops", plans: [] }, null, "You sign in again when it expires"],
	[
		{ kind: "invitation", collaboration: "", guest: "https://a.example" },
		null,
		"The guest cannot join when it expires",
	],
])("what stops then is said of each kind: %j of %s", async (what, server, stops) => {
	overview({ world: { expires: [expiry(what, 20, { server })] } });
	expect(rows(await soon())[0]).toContain(stops);
});

test("a machine whose port presents another certificate says so where its certificate is", async () => {
	const differs = {
		host: "gis1.example.org:6443",
		presentedUntil: Date.UTC(2029, 2, 2, 12),
		ownUntil: Date.UTC(2026, 11, 20, 12),
	};
	const machine: Expiring = { kind: "machine", machine: "GIS1", alias: "own", differs };
	overview({ world: { expires: [expiry(machine, 20), expiry({ ...machine, alias: "same", differs: null }, 30)] } });
	const [different, same] = rows(await soon());
	expect(different).toMatch(
		/^Certificate own of machine GIS1.*might not reach the server.*gis1\.example\.org:6443 presents another certificate, which expires .*Mar 2, 2029.*own expires .*Dec 20, 2026/,
	);
	expect(same).not.toMatch(/another certificate/);
});

test("a day that is another one in UTC is named with the zone of the site, and one without a zone a day early", async () => {
	const utc = (days: number) => expiry(license, days).day;
	const expires = [
		expiry(license, 20, { zone: "Pacific/Honolulu", day: utc(19), days: 19 }),
		expiry(license, 30, { planFor: utc(29) }),
	];
	overview({ world: { expires } });
	const section = await soon();
	const [zoned, early] = rows(section);
	expect(zoned).toMatch(/in Pacific\/Honolulu.*UTC.*in 19 days/);
	expect(early).toMatch(/no time zone reported: plan for .*in 30 days/);
});

test("what expires within a week needs attention instead, and what has expired failed", async () => {
	const expires = [expiry(certificate, -1), expiry(license, 5, { planFor: expiry(license, 4).day })];
	const concerns = expires.map(
		(one): Concern => ({
			tone: one.isOver ? "failed" : "warnings",
			server: one.server,
			at: one.at,
			about: { kind: "expires", expiry: one },
		}),
	);
	overview({ world: { expires, concerns } });
	const attention = within(await screen.findByRole("region", { name: "Needs attention" }));
	expect(await attention.findByText("Certificate of gis.example.org expired yesterday")).toBeVisible();
	expect(attention.getByText("License of gis.example.org expires in 5 days")).toBeVisible();
	expect((await soon()).queryAllByRole("listitem")).toEqual([]);
});

test("what is not known is said with its reason, and not called nothing", async () => {
	const gap = (more: Partial<ExpiryGap>): ExpiryGap => ({
		site: "city",
		server: "server",
		part: "licenses",
		why: { kind: "failed", reason: "403: not for you" },
		...more,
	});
	const expiryGaps = [
		gap({}),
		gap({ part: "machineCertificates", why: { kind: "failed", reason: "" } }),
		gap({ server: null, part: "invitations", why: { kind: "notChecked" } }),
	];
	overview({ world: { expiryGaps } });
	const section = await soon();
	expect(section.queryByText("Nothing expires within 60 days.")).toBeNull();
	expect(
		section.getByText(/^.*licenses not known in full\. The last check returned: .*403: not for you/),
	).toBeVisible();
	expect(section.getByText(/certificates of machines not known, because the last check failed\.$/)).toBeVisible();
	expect(section.getByText(/invitations not known, because they were not checked yet\.$/)).toBeVisible();
});

test("a site that was never checked is not called one where nothing expires", async () => {
	const expiryGaps: ExpiryGap[] = [{ site: "city", server: null, part: "licenses", why: { kind: "notChecked" } }];
	overview({ world: { expiryGaps } });
	expect(
		(await soon()).getByText("What expires is not known, because licenses and certificates were not checked yet."),
	).toBeVisible();
});

test("without anything, and without a gap, nothing expires", async () => {
	overview({});
	expect((await soon()).getByText("Nothing expires within 60 days.")).toBeVisible();
});

test("over all sites, what expires is one list in the order of its days, and names its site", async () => {
	const { site, world } = signedInSite();
	const other: SiteView = { ...site, id: "harbour", name: "Harbour" };
	const expires = [
		expiry(license, 40),
		expiry(license, 20, { site: "harbour" }),
		expiry(certificate, 3, { site: "harbour" }),
		expiry(certificate, 30),
	];
	const expiryGaps: ExpiryGap[] = [{ site: "harbour", server: null, part: "licenses", why: { kind: "notChecked" } }];
	const Page = () => {
		const sites = useSites().data;
		return sites ? <SitesPage sites={sites} practiceOffer={null} /> : null;
	};
	renderWith(
		<WithPlace>
			<Page />
		</WithPlace>,
		{ world: { ...world, sites: [site, other], expires, expiryGaps } },
	);
	const section = await soon();
	const names = rows(section).map((text) =>
		/(Harbour|City GIS).*?(in \d+ days)/
			.exec(text ?? "")
			?.slice(1)
			.join(" "),
	);
	expect(names).toEqual(["Harbour in 3 days", "Harbour in 20 days", "City GIS in 30 days", "City GIS in 40 days"]);
	expect(section.getByText(/^Not known of 1 portal or server/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});
