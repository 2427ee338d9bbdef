import { screen, waitFor, within } from "@testing-library/react";
import { useDroppedFiles } from "@/lib/dropped-file";
import { useNavigation } from "@/lib/navigation";
import { site, usualWorld } from "@/test/forms-and-dialogs";
import { planOf, setOf } from "@/test/plans";
import { axeFindings, fill, renderWith } from "@/test/render";
import { BackupSetPage } from "./backup-set-page";

const production = { ...site, id: "city", name: "City GIS", environment: "production" as const };
const plan = planOf(production);
const skipped = { kind: "skipped", reason: "busy" } as const;

/** Where the page leads, and with which file. */
function Where() {
	const { place } = useNavigation();
	const { drop } = useDroppedFiles();
	return <output>{`${JSON.stringify(place)} ${drop?.file?.path}`}</output>;
}

function show(name: string) {
	const { world } = usualWorld();
	const sets = [setOf(plan, 1, [skipped]), setOf(plan, 2)];
	return renderWith(
		<>
			<BackupSetPage site={production} plan="nightly" set={name} />
			<Where />
		</>,
		{ world: { ...world, sites: [production], plans: [plan], planSets: new Map([["nightly", sets]]) } },
	);
}

test("a part that is not in the set is said first, with the set that has its newest verified copy", async () => {
	const { user, container } = show("set-1");
	const verdict = await screen.findByRole("alert");
	expect(verdict).toHaveTextContent(/server is not in this set/);
	expect(verdict).toHaveTextContent(/Skipped, another operation was running/);
	expect(verdict).toHaveTextContent(/Not checked: .*City GIS/);
	expect(await axeFindings(container)).toEqual([]);
	await user.click(within(verdict).getByRole("button", { name: /^Open set of/ }));
	expect(screen.getByText(/"set":"set-2"/)).toBeInTheDocument();
});

test("a set that is as expected says so, and names what was not checked", async () => {
	show("set-2");
	const verdict = await screen.findByRole("status", { name: "Each part is as expected" });
	expect(verdict).toHaveTextContent(/Not checked: .*City GIS/);
	expect(screen.getByText(/^Not included: the data in the data stores/)).toBeVisible();
});

test("a server opens to its services, with the number of other sets that have each", async () => {
	const { user } = show("set-2");
	await user.click(await screen.findByRole("button", { name: "Services of server" }));
	await fill(user, await screen.findByLabelText("Search the services of server"), "zoning");
	const found = screen.getByRole("table", { name: "Services of server" });
	const rows = within(found).getAllByRole("row").slice(1);
	expect(rows.map((row) => row.textContent)).toEqual([
		"Parcels/Zoning.MapServerSTARTEDalso in 1 other set",
		"Zoning/Draft.FeatureServerSTARTEDonly in this set",
	]);
	expect(screen.getByText("2 of 3 services of server")).toBeVisible();
});

test("the file of a server is brought to the form of the import", async () => {
	const { user } = show("set-2");
	await user.click(await screen.findByRole("button", { name: "Import the file of server…" }));
	await screen.findByText(/"page":"operation","site":"city","key":"import_server"/);
	await screen.findByText(/\/backups\/nightly\/set-2\/server set-2\.agssite/);
	expect(screen.queryByRole("button", { name: "Import the file of City GIS…" })).toBeNull();
});

test("a set is pinned and unpinned", async () => {
	const { user, backend } = show("set-2");
	const isPinned = async () => (await backend.planSets("nightly")).sets[1]?.set.isPinned;
	await user.click(await screen.findByRole("button", { name: "Pin" }));
	await user.click(await screen.findByRole("button", { name: "Unpin" }));
	await screen.findByRole("button", { name: "Pin" });
	await waitFor(async () => expect(await isPinned()).toBe(false));
});

test("a set that is no longer there is said", async () => {
	show("set-9");
	expect(await screen.findByText("This backup set is no longer in the folder")).toBeVisible();
});
