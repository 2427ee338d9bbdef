import { screen, waitFor, within } from "@testing-library/react";
import { useEffect, useState } from "react";
import { Content } from "@/app/content";
import { operations } from "@/bridge";
import { type Place, useNavigation } from "@/lib/navigation";
import { targetOf } from "@/lib/target";
import { site, usualWorld } from "./forms-and-dialogs";
import { pages } from "./places";
import { renderWith } from "./render";

const places: Place[] = [
	...operations.map(({ key }): Place => ({ page: "operation", ...targetOf(key, site), key })),
	...Object.values(pages),
];

function At({ place }: { place: Place }) {
	const { go } = useNavigation();
	const [isThere, setIsThere] = useState(false);
	useEffect(() => {
		go(place);
		setIsThere(true);
	}, [place, go]);
	return isThere ? <Content /> : null;
}

/** Returns a name without punctuation, spaces, and case, as speech output pronounces it. */
const heard = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns names of different buttons that sound the same. */
function nearlyAlike(names: readonly string[]): string[] {
	return names.filter((name, at) => names.some((other, of) => of !== at && heard(other) === heard(name)));
}

test("names that differ by a mark alone are nearly one", () => {
	expect(nearlyAlike(["Print", "Print…", "Save"])).toEqual(["Print", "Print…"]);
	expect(nearlyAlike(["Reactivate 1 webhook", "Reactivate 2 webhooks"])).toEqual([]);
});

test.each(places)("no two buttons of a page have nearly one name: $page $key $topic", async (place) => {
	const world = structuredClone(usualWorld().world);
	// The user can rename sites and servers with the same name.
	const sites = world?.sites?.map((one, at) => ({
		...one,
		name: `Site ${at}`,
		servers: one.servers.map((server, of) => ({ ...server, name: `gisapp0${of + 1}` })),
	}));
	const { queries } = renderWith(<At place={place} />, { world: { ...world, sites: sites ?? [] } });
	await waitFor(() => expect(screen.getAllByRole("button").length).toBeGreaterThan(0));
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	const buttons = within(document.body).getAllByRole("button");
	// Links in a text can have the same target.
	const names = buttons
		.filter((button) => !button.matches(".mantine-Anchor-root"))
		.map((button) => button.getAttribute("aria-label") ?? button.textContent ?? "");
	expect(nearlyAlike(names)).toEqual([]);
});
