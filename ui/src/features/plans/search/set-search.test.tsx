import { screen, within } from "@testing-library/react";
import type { SetSearch as Found } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { useDroppedFiles } from "@/lib/dropped-file";
import { useNavigation } from "@/lib/navigation";
import { production, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, fill, renderWith } from "@/test/render";
import { SetSearch } from "../plan-sets";

const site = { ...production, id: "city", name: "City GIS" };
const nightly = planOf(site);
const weekly = planOf(site, { plan: { ...nightly.plan, id: "weekly", name: "Weekly" } });

function Where() {
	const { place } = useNavigation();
	const { drop } = useDroppedFiles();
	return <output>{JSON.stringify({ place, drop })}</output>;
}

function show() {
	const { world } = usualWorld();
	const planSets = new Map([
		["nightly", [setOf(nightly, 1), setOf(nightly, 3)]],
		["weekly", [setOf(weekly, 2)]],
	]);
	const nameOf = ({ plan }: typeof nightly, daysAgo: number) => {
		const { name, set } = setOf({ ...nightly, plan }, daysAgo);
		return { plan: plan.id, planName: plan.name, name, started: set.started };
	};
	const paths = ["Parcels/Zoning.MapServer", "Zoning/Draft.FeatureServer"];
	const servers = site.servers.map(({ id, name }) => ({ server: id ?? "", name, paths, count: paths.length }));
	const sets = [nameOf(nightly, 1), nameOf(weekly, 2), nameOf(nightly, 3)];
	const why = "otherContent" as const;
	const withZoning: Found = {
		searched: 9,
		found: sets.map((set) => ({ set, servers })),
		unsearched: [{ set: nameOf(nightly, 9), servers: [{ server: "server", name: "gis.example.org/server", why }] }],
		unread: [],
	};
	const backend = fakeBackend({ world: { ...world, sites: [site], plans: [nightly, weekly], planSets } });
	backend.searchSets = async (_site, words) => (words === "zoning" ? withZoning : { ...withZoning, found: [] });
	return renderWith(
		<>
			<SetSearch site={site} title={null} act={null} />
			<Where />
		</>,
		backend,
	);
}

const words = () => screen.getByLabelText("Name of a service or data store item");

test("the button beside the field is not made narrower than its word", () => {
	show();
	expect(screen.getByRole("button", { name: "Search" })).toHaveStyle({ flex: "none" });
});

test("the sets of all plans that have a service are listed, the newest first, with its folder", async () => {
	const { user, container } = show();
	await fill(user, words(), "zoning");
	await user.keyboard("{Enter}");
	const rows = within(await screen.findByRole("table", { name: "Search all sets" }))
		.getAllByRole("row")
		.slice(1);
	expect(rows.map((row) => row.children[1]?.textContent)).toEqual(["Nightly", "Weekly", "Nightly"]);
	expect(rows[0]).toHaveTextContent(
		/gis\.example\.org\/server: Parcels\/Zoning\.MapServer, Zoning\/Draft\.FeatureServer/,
	);
	expect(screen.getByText("3 sets have “zoning”. Inventories searched: 9.")).toBeVisible();
	expect(await axeFindings(container)).toEqual([]);
	await user.click(within(rows[1] as HTMLElement).getByRole("button", { name: /^Open set of/ }));
	await screen.findByText(/"page":"backup-set","site":"city","plan":"weekly","set":"set-2"/);
});

test("what an import of a found set would change is compared in the form of the import, which sends nothing yet", async () => {
	const { user } = show();
	await fill(user, words(), "zoning");
	await user.keyboard("{Enter}");
	const [first] = await screen.findAllByRole("button", {
		name: "What would change with gis.example.org/server",
	});
	await user.click(first as HTMLElement);
	await screen.findByText(/"page":"operation","site":"city","server":"server","key":"import_server"/);
	await screen.findByText(/\/backups\/nightly\/set-\d\/server set-\d\.agssite/);
});

test("nothing is read before words are searched, and what no set has is said", async () => {
	const { user, backend } = show();
	const search = vi.spyOn(backend, "searchSets");
	await user.click(screen.getByRole("button", { name: "Search" }));
	expect(search).not.toHaveBeenCalled();
	await fill(user, words(), "harbour");
	expect(search).not.toHaveBeenCalled();
	await user.click(screen.getByRole("button", { name: "Search" }));
	expect(await screen.findByText(/^0 sets have “harbour”/)).toBeVisible();
});

test("a set that cannot be searched is named with the reason", async () => {
	const { user } = show();
	await fill(user, words(), "zoning");
	await user.keyboard("{Enter}");
	await user.click(await screen.findByRole("button", { name: "1 set cannot be searched completely" }));
	expect(await screen.findByText("Nightly · gis.example.org/server: inventory does not match its file")).toBeVisible();
});
