import { act, render, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import type { Backend, PreferencesView, SiteView } from "@/bridge";
import { fakeBackend, type MemoryOptions } from "@/bridge/fake-backend";
import { lastAt, signedInSite } from "@/test/render";

type Act = (...parameters: unknown[]) => unknown;

/** Records each rendering of a component, also those that React discards. */
function noteDrawings(file: string, part: string, events: string[]) {
	vi.doMock(file, async (original) => {
		const module = await original<Record<string, Act>>();
		const draw = (properties: unknown) => {
			events.push(`draws ${part}`);
			return module[part]?.(properties);
		};
		return { ...module, [part]: draw };
	});
}

/** Starts the window as `main.tsx` does. Returns the events before it can be used, and those after. */
async function start(world: NonNullable<MemoryOptions["world"]>, preferences?: PreferencesView) {
	const events: string[] = [];
	// Each start needs modules of its own, because they keep state.
	vi.resetModules();
	noteDrawings("./shell", "Shell", events);
	noteDrawings("./layout", "Layout", events);
	noteDrawings("./top-bar", "TopBar", events);
	noteDrawings("./sidebar", "Sidebar", events);
	noteDrawings("./command-center", "CommandCenter", events);
	noteDrawings("./content", "Content", events);
	noteDrawings("./require-sign-in", "RequireSignIn", events);
	noteDrawings("@/features/sites/welcome", "Welcome", events);
	const { App } = await import("./app");
	const { Providers } = await import("./providers");
	const { heldBack } = await import("@/bridge/held-back");
	const { createQueryClient } = await import("@/lib/queries/client");
	const { queryKeys } = await import("@/lib/queries/keys");
	const { started } = await import("@/lib/started");

	const program = fakeBackend({ world });
	const noted = ([name, ask]: [string, unknown]): [string, Act] => [
		name,
		(...parameters) => {
			events.push(name);
			// The site responds later than the window starts.
			return name === "session" ? started.then(() => (ask as Act)(...parameters)) : (ask as Act)(...parameters);
		},
	];
	const backend = Object.fromEntries(Object.entries(program).map(noted)) as unknown as Backend;
	const queries = createQueryClient();
	queries.setQueryData<SiteView[]>(queryKeys.sites, await program.listSites());
	render(
		<Providers
			backend={heldBack(backend, started)}
			queries={queries}
			preferences={preferences ?? (await program.preferences())}
		>
			<App />
		</Providers>,
	);
	await waitFor(() => expect(events).toContain("windowUsable"));
	const before = events.slice(0, events.indexOf("windowUsable"));
	const later = ["listRuns", "practice", "searchHistory", "takeOpenedFile", "onRuns", "onMenu", "onCloseAsked"];
	await waitFor(() => expect(events).toEqual(expect.arrayContaining(later)));
	// Renders what was deferred until the window can be used.
	await act(async () => {});
	return before;
}

const situations = [
	["with no site", {}, undefined, "Welcome"],
	["at a site", signedInSite().world, lastAt("city"), "RequireSignIn"],
] as const;

test.each(situations)(
	"a start %s draws the window once until it can be used",
	async (_, world, preferences, screen) => {
		const before = await start(world, preferences);
		const drawn = before.filter((event) => event.startsWith("draws ")).map((event) => event.slice("draws ".length));
		const side = screen === "RequireSignIn" ? ["Sidebar"] : [];
		expect(drawn.sort()).toEqual(["CommandCenter", "Content", "Shell", "TopBar", screen, ...side].sort());
	},
);

test.each(situations)("a start %s asks only for what it shows", async (_, world, preferences) => {
	const before = await start(world, preferences);
	const shown = ["session", "setTitle", "windowReady"];
	expect(before.filter((event) => !event.startsWith("draws ") && !shown.includes(event))).toEqual([]);
});
