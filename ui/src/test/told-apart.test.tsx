import { screen, waitFor, within } from "@testing-library/react";
import { useEffect, useState } from "react";
import { CommandCenter } from "@/app/command-center";
import { Content } from "@/app/content";
import { ServerMenu } from "@/app/server-menu";
import { TopBar } from "@/app/top-bar";
import { operations } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { note } from "@/bridge/fake-backend/history";
import { type Place, useNavigation } from "@/lib/navigation";
import { targetOf } from "@/lib/target";
import { type Case, dialogs, forms, production, session, usualWorld } from "./forms-and-dialogs";
import { pages } from "./places";
import { planOf, setOf } from "./plans";
import { renderWith } from "./render";

const names = production.servers.map(({ name }) => name);
const host = new URL(production.server ?? "").host;
/**
 * Matches the shared host of the servers without a path that distinguishes them. A port or path can follow, and the
 * host can be part of a longer one.
 */
const bare = new RegExp(`(?<![\\w.-])${host.replaceAll(".", "\\.")}(?![\\w.-]*[\\w])(?!(:\\d+)?/)`);

/** Returns every text that identifies a server by the shared address. */
function confused(): string[] {
	const texts = [...document.body.querySelectorAll<HTMLElement>("*")].flatMap((element) => [
		...[...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent] : [])),
		...["aria-label", "title", "placeholder", "value"].map((name) => element.getAttribute(name)),
		element instanceof HTMLInputElement ? element.value : null,
	]);
	return texts.flatMap((text) => (text && bare.test(text.replace(/[\u2066-\u2069]/g, "")) ? [text] : []));
}

/** Returns data with an entry, an export, and a plan for each server. */
function world() {
	const { world: usual } = usualWorld();
	const site = { ...production };
	const history: (typeof usual)["history"] = [];
	const all = { ...usual, sites: [site], history };
	for (const { id, name } of site.servers) note(all, site, "export_server", { server: id, serverName: name });
	const plan = planOf(site);
	return { ...all, plans: [plan], planSets: new Map([[plan.plan.id, [setOf(plan, 1)]]]) };
}

const ofSite = (place: Place): Place => ("site" in place && place.site ? { ...place, site: production.id } : place);

const places: Place[] = [
	...operations.map(({ key }): Place => ({ page: "operation", ...targetOf(key, production), key })),
	...Object.values(pages).map(ofSite),
	...production.servers.flatMap(({ id }): Place[] =>
		id === null ? [] : [{ page: "overview", site: production.id, services: id }],
	),
];

function At({ place }: { place: Place }) {
	const { go } = useNavigation();
	const [isThere, setIsThere] = useState(false);
	useEffect(() => {
		go(place);
		setIsThere(true);
	}, [place, go]);
	return isThere ? (
		<>
			<TopBar site={production} session={session} alone={false} start={null}>
				{null}
			</TopBar>
			<Content />
		</>
	) : null;
}

test.each([host, `Export of ${host}.`, `${host} (1)`])("%s names no server", (name) => {
	renderWith(<p>{name}</p>);
	expect(confused()).toEqual([name]);
});

test.each([...names, `${host}:6443/arcgis`, `https://${host}/server`, `www.${host}`, `${host}.uk`])(
	"%s names one",
	(name) => {
		renderWith(<p>{name}</p>);
		expect(confused()).toEqual([]);
	},
);

test.each(places)("no server of one host is taken for another: $page $key $topic $services", async (place) => {
	const { queries } = renderWith(<At place={place} />, { world: world() });
	await screen.findByRole("heading", { level: 1 });
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(confused()).toEqual([]);
});

test.each([...forms, ...dialogs])("no server of one host is taken for another: $name", async (one: Case) => {
	const { happen, ...backend } = fakeBackend({ world: structuredClone({ ...usualWorld().world, ...one.world }) });
	const { user } = renderWith(one.view, backend);
	const stage = { user, happen };
	await one.ready?.(stage);
	await one.open?.(stage);
	expect(confused()).toEqual([]);
});

/** Opens a page of the site with the three servers. */
function show(place: Place) {
	return renderWith(<At place={place} />, { world: world() });
}

/** Returns the servers in the order of the rows or choices, each with the text beside its name. */
const shownIn = (rows: readonly HTMLElement[]) =>
	names.map((name) =>
		rows.filter(({ textContent }) => textContent?.includes(name)).map(({ textContent }) => textContent),
	);

const roles = ["GIS server", "GIS server", "Hosting server"];

/** Expects one row or choice for each server, with its role. */
function expectEach(rows: readonly HTMLElement[]) {
	const shown = shownIn(rows);
	expect(shown.map((one) => one.length)).toEqual([1, 1, 1]);
	for (const [place, [text]] of shown.entries()) expect(text).toContain(roles[place]);
}

test("the choice of a server lists each with its role", async () => {
	const { user } = renderWith(<ServerMenu site={production} server={names[1] ?? ""} />, { world: world() });
	await user.click(await screen.findByRole("button", { name: `Server: ${names[1]}` }));
	expectEach(await screen.findAllByRole("menuitem"));
});

test("the overview lists each with its role", async () => {
	show({ page: "overview", site: production.id });
	await screen.findAllByText(names[2] ?? "");
	expectEach(within(screen.getAllByRole("table")[0] as HTMLElement).getAllByRole("row"));
});

test("the command palette lists each with its role", async () => {
	const { user } = renderWith(<CommandCenter sites={[production]} site={production} session={session} />, {
		world: world(),
	});
	await user.keyboard("{Control>}k{/Control}");
	await user.type(await screen.findByLabelText("Search sites, operations, pages, and actions"), "services of");
	expectEach(within(await screen.findByRole("dialog")).getAllByRole("button"));
});

test("the filter of the history lists each with its role", async () => {
	const { user } = show({ page: "history" });
	await user.click(await screen.findByRole("button", { name: /^Filters/ }));
	await user.click(screen.getByRole("combobox", { name: "Site" }));
	await user.click(await screen.findByRole("option", { name: production.name }));
	await user.click(await screen.findByRole("combobox", { name: "Server" }));
	expectEach(await screen.findAllByRole("option"));
});

test("a backup plan lists each with its role, and its set as well", async () => {
	const { unmount } = show({ page: "edit-plan", site: production.id, plan: "nightly" });
	await screen.findByText(names[2] ?? "");
	expectEach(within(screen.getAllByRole("table")[0] as HTMLElement).getAllByRole("row"));
	unmount();
	show({ page: "backup-set", site: production.id, plan: "nightly", set: "set-1" });
	const parts = await screen.findByRole("table", { name: "Parts" });
	expectEach(within(parts).getAllByRole("row"));
});

test("the sets of a plan have a column for each", async () => {
	show({ page: "plans", site: production.id });
	const sets = await screen.findByRole("table", { name: "Sets of Nightly" });
	const heads = within(sets).getAllByRole("columnheader");
	expect(shownIn(heads).map((one) => one.length)).toEqual([1, 1, 1]);
});

test("the entries of the history name each, in the list and alone", async () => {
	// The list renders only visible rows.
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(48);
	show({ page: "history" });
	await waitFor(() => expect(shownIn(screen.getAllByRole("row")).map((one) => one.length)).toEqual([1, 1, 1]));
	expect(confused()).toEqual([]);
});
