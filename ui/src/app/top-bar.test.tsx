import { act, screen } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { lastAt, renderWith, signedInSite } from "@/test/render";
import { App } from "./app";

const minute = 60_000;

test("when the token ends is read with the keyboard alone", async () => {
	const { site, session, world } = signedInSite();
	const sessions = new Map([[site.id, { ...session, expiresAt: Date.now() + 30.5 * minute }]]);
	renderWith(<App />, fakeBackend({ world: { ...world, sessions } }), lastAt(site.id));
	const token = await screen.findByText(/30 min/, { selector: "[tabindex='0'] *" });
	act(() => token.closest<HTMLElement>("[tabindex='0']")?.focus());
	expect(await screen.findByRole("tooltip")).toHaveTextContent(/^The token/);
});

test("the button of an unlocked site has the same room for each countdown", async () => {
	const { site, world } = signedInSite();
	for (const left of [14.5 * minute, 9.5 * minute, 30_000]) {
		const sites = [{ ...site, readOnly: true, unlockedUntil: Date.now() + left }];
		const { unmount } = renderWith(<App />, fakeBackend({ world: { ...world, sites } }), lastAt(site.id));
		const button = await screen.findByRole("button", { name: /^Unlocked/ });
		expect(button).toHaveTextContent(/15 min left$/);
		unmount();
	}
});

test("only a long name gives way: a short one has no empty room beside it", async () => {
	const { site, world } = signedInSite();
	for (const [name, isShort] of [
		["City GIS", true],
		["City GIS of the surveying office", false],
	] as const) {
		const backend = fakeBackend({ world: { ...world, sites: [{ ...site, name }] } });
		const { unmount } = renderWith(<App />, backend, lastAt(site.id));
		const shown = await screen.findByText(name, { selector: "header p" });
		expect(shown.parentElement?.matches("[data-short]")).toBe(isShort);
		unmount();
	}
});
