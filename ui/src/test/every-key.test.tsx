import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useEffect, useState } from "react";
import { Content } from "@/app/content";
import { type Backend, operations, type SignInForm } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { type Place, useNavigation } from "@/lib/navigation";
import { setSession } from "@/lib/queries/program";
import { type Case, dialogs, forms, production, session, site, usualWorld } from "./forms-and-dialogs";
import { looks } from "./looks";
import { menus, palette } from "./menus";
import { pages } from "./places";
import { fill, renderWith } from "./render";

const focusable = ":is(input, button, select, textarea, a[href], [tabindex='0'])";
/** Text fields that a form sends. Search fields are not among them. */
const sentText = "[data-path]:is([type=text], [type=email], [type=password], [type=url], :not([type])):not([readonly])";

const isSubmit = (control: Element) => control.matches("form button[type=submit]");

/** Check boxes and radio buttons, which a click may change without further effects. */
const isToggle = (control: Element) => control.matches("[type=checkbox], [type=radio]");

/** Renders a form or dialog, and records each command that changes something. */
async function show({ view, ready, open, irreversible, world }: Case) {
	const called: string[] = [];
	const { happen, ...backend } = fakeBackend({ world: structuredClone({ ...usualWorld().world, ...world }) });
	const noting = Object.entries(backend).map(([name, command]) => [
		name,
		(...parameters: never[]) => {
			// Only the answer "close" ends the window.
			const isChange = name === "answerClose" ? String(parameters[0]) === "close" : !looks.has(name);
			if (isChange && !name.startsWith("on")) called.push(name);
			return (command as (...parameters: never[]) => unknown)(...parameters);
		},
	]);
	const shown = renderWith(view, Object.fromEntries(noting) as Backend);
	const stage = { user: shown.user, happen };
	await ready?.(stage);
	/** Returns the dialog, or the forms of the page. */
	const opened = async () => {
		if (!open) return [...document.querySelectorAll<HTMLElement>("form")];
		await open(stage);
		const root = await screen.findByRole("dialog");
		await waitFor(() => expect(root).toContainElement(document.activeElement as HTMLElement));
		// In an irreversible dialog, Enter must not press the confirm button first.
		if (irreversible) expect(document.activeElement).toBe(root.querySelector("form [type=submit]"));
		for (const label of within(root).queryAllByText(/^Enter “.+”/, { selector: "label" })) {
			const [, name = ""] = /“(.+)”/.exec(label.textContent ?? "") ?? [];
			await fill(shown.user, within(root).getByLabelText(label.textContent ?? ""), name);
		}
		return [root];
	};
	return { ...shown, called, opened };
}

type Shown = Awaited<ReturnType<typeof show>>;

/** Suppresses the effect of all buttons and forms while `doing` runs. Records which forms were submitted. */
async function held(doing: (submitted: EventTarget[]) => Promise<void>) {
	const submitted: EventTarget[] = [];
	const hold = (event: Event) => {
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	const onSubmit = (event: Event) => {
		hold(event);
		submitted.push(event.target as EventTarget);
	};
	// A submit button submits its form by a click.
	const onClick = (event: Event) => {
		const target = event.target as Element;
		if (!isToggle(target) && !isSubmit(target.closest("button") ?? document.body)) hold(event);
	};
	window.addEventListener("submit", onSubmit, true);
	window.addEventListener("click", onClick, true);
	try {
		await doing(submitted);
	} finally {
		window.removeEventListener("submit", onSubmit, true);
		window.removeEventListener("click", onClick, true);
	}
}

const focused = (control: HTMLElement | null | undefined) => {
	act(() => control?.focus());
	return document.activeElement === control;
};

/** Presses Enter and Space on every control. Only sent text fields and the submit button may submit the form. */
async function pressEach({ user, called }: Shown, controls: readonly HTMLElement[]): Promise<string[]> {
	const found: string[] = [];
	const meant: string[] = [];
	await held(async (submitted) => {
		for (const key of ["{Enter}", " "]) {
			// Toggles come last, because they can remove other controls.
			const inTurn = [...controls].sort((one, other) => Number(isToggle(one)) - Number(isToggle(other)));
			for (const control of inTurn) {
				if (!focused(control)) continue;
				const name = `${key} on ${(control.cloneNode() as Element).outerHTML}`;
				if (isSubmit(control) || (key === "{Enter}" && control.matches(`form ${sentText}`))) meant.push(name);
				await user.keyboard(key);
				if (submitted.splice(0).length > 0) found.push(name);
				expect([name, ...called]).toEqual([name]);
			}
		}
	});
	expect(found).toEqual(meant);
	return found;
}

const controlsIn = (roots: readonly HTMLElement[]) =>
	roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(focusable)]);

test.each(forms)(
	"$name: Enter submits from a text that is sent, the button by itself, and nothing else",
	async (one) => {
		const shown = await show(one);
		const controls = controlsIn(await shown.opened());
		shown.called.length = 0;
		for (const control of controls) if (focused(control)) await shown.user.keyboard("{Escape}");
		expect(shown.called).toEqual([]);
		expect(await pressEach(shown, controls)).not.toEqual([]);
	},
);

const closed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test.each(dialogs)("$name: Escape closes it, and only the button that names it changes something", async (one) => {
	const shown = await show(one);
	const { user, called, opened } = shown;
	let [root] = (await opened()) as [HTMLElement];
	called.length = 0;
	const leave = async (key: string) => {
		await user.keyboard(key);
		await closed();
		expect(called).toEqual([]);
		[root] = (await opened()) as [HTMLElement];
	};
	await pressEach(shown, controlsIn([root]));
	for (let at = 0; at < controlsIn([root]).length; at += 1) {
		if (focused(controlsIn([root])[at])) await leave("{Escape}");
	}
	if (!one.changes) return;
	const [button, command] = one.changes;
	if (one.irreversible) {
		focused(root.querySelector<HTMLElement>("form [type=submit]"));
		await leave("{Enter}");
		for (let at = 0; at < root.querySelectorAll(sentText).length; at += 1) {
			focused(root.querySelectorAll<HTMLElement>(sentText)[at]);
			await leave("{Enter}");
		}
	}
	const named = await within(root).findByRole("button", { name: button });
	await waitFor(() => expect(named).toBeEnabled());
	focused(named);
	await user.keyboard("{Enter}");
	await waitFor(() => expect(called).toContain(command));
});

/** Suppresses the effect of every click while `doing` runs. Returns the clicked elements. */
async function clicksOf(doing: () => Promise<void>): Promise<EventTarget[]> {
	const clicked: EventTarget[] = [];
	const onClick = (event: Event) => {
		event.preventDefault();
		event.stopImmediatePropagation();
		clicked.push(event.target as EventTarget);
	};
	window.addEventListener("click", onClick, true);
	try {
		await doing();
	} finally {
		window.removeEventListener("click", onClick, true);
	}
	return clicked;
}

test.each(menus)("the menu $name: Enter and Space open it and choose, and Escape leads back", async (one) => {
	const { user, called } = await show({ ...one, name: String(one.name) });
	const target = await screen.findByRole("button", { name: one.name });
	await waitFor(() => expect(target).toBeEnabled());
	called.length = 0;
	const open = async (key: string) => {
		focused(target);
		await user.keyboard(key);
		const menu = await screen.findByRole("menu");
		await waitFor(() => expect(menu).toContainElement(document.activeElement as HTMLElement));
		return within(menu).getAllByRole("menuitem");
	};
	for (const key of ["{Enter}", " "]) {
		for (let at = 0; at < (await open(key)).length; at += 1) {
			focused(screen.getAllByRole("menuitem")[at]);
			await user.keyboard("{Escape}");
			await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
			expect(target).toHaveFocus();
		}
		await user.keyboard("{Escape}");
	}
	const items = (await open("{Enter}")).filter((item) => !item.matches("[disabled], [data-disabled]"));
	const reached = new Set<Element | null>();
	for (const _ of items) {
		await user.keyboard("{ArrowDown}");
		reached.add(document.activeElement);
	}
	expect([...reached]).toEqual(expect.arrayContaining(items));
	for (const item of items) {
		for (const key of ["{Enter}", " ", "{ArrowUp}", "{Home}", "x"]) {
			focused(item);
			const chosen = ["{Enter}", " "].includes(key) ? [item] : [];
			expect(await clicksOf(() => user.keyboard(key))).toEqual(chosen);
		}
	}
	expect(called).toEqual([]);
});

test("the palette: Enter chooses what is selected, letters and Space are searched for, and Escape leads back", async () => {
	const view = (
		<>
			<button type="button">before</button>
			{palette}
		</>
	);
	const { user, called } = await show({ name: "the palette", files: [], view });
	const before = screen.getByRole("button", { name: "before" });
	const open = async () => {
		focused(before);
		await user.keyboard("{Control>}k{/Control}");
		const field = await screen.findByLabelText("Search sites, operations, pages, and actions");
		await waitFor(() => expect(field).toHaveFocus());
		return field;
	};
	called.length = 0;
	await open();
	await user.keyboard("{Escape}");
	await waitFor(() => expect(before).toHaveFocus());
	const field = await open();
	const actions = [...document.querySelectorAll<HTMLElement>("[data-palette] button[data-action]")];
	expect(actions.length).toBeGreaterThan(20);
	for (const action of actions) {
		await user.keyboard("{ArrowDown}");
		expect(await clicksOf(() => user.keyboard("{Enter}"))).toEqual([action]);
		expect(field).toHaveFocus();
	}
	expect(await clicksOf(() => user.keyboard(" help x"))).toEqual([]);
	expect(field).toHaveValue(" help x");
	// The search has no results, so Enter has nothing to choose.
	expect(await clicksOf(() => user.keyboard("{Enter}"))).toEqual([]);
	expect(called).toEqual([]);
});

const typed = "typed before";

/** Returns every text field, including search fields. */
const texts = () =>
	[...document.querySelectorAll<HTMLInputElement>("input, textarea")].filter(
		({ type, readOnly, disabled }) => !["checkbox", "radio", "hidden"].includes(type) && !readOnly && !disabled,
	);

const isTypedThere = () =>
	document.body.textContent.includes(typed) || texts().some(({ value }) => value.includes(typed));

function At({ place, to }: { place: Place; to: (go: (place: Place) => void) => void }) {
	const { go } = useNavigation();
	const [isThere, setIsThere] = useState(false);
	useEffect(() => {
		go(place);
		to(go);
		setIsThere(true);
	}, [place, to, go]);
	return isThere ? <Content /> : null;
}

const isOfPortal = ({ place }: Case) =>
	operations.some(({ key, component }) => key === place?.key && component === "portal");

test.each([...forms, ...dialogs].filter(({ place }) => place))(
	"$name: nothing that was typed is there for another server, another user, or another site",
	async (one) => {
		const place = one.place as NonNullable<Case["place"]>;
		let go: (place: Place) => void = () => {};
		const to = (by: typeof go) => {
			go = by;
		};
		const { backend, queries, opened } = await show({ ...one, view: <At place={place} to={to} /> });
		const again = async (change: () => unknown) => {
			for (const field of texts()) fireEvent.change(field, { target: { value: typed } });
			expect(isTypedThere()).toBe(texts().length > 0);
			await change();
			await queries.invalidateQueries();
			await waitFor(() => expect(isTypedThere()).toBe(false));
			await waitFor(() => expect(queries.isFetching()).toBe(0));
			expect(isTypedThere()).toBe(false);
		};
		// Both servers of both sites have a session already. Otherwise the page would be removed while a session is
		// read.
		for (const at of [site, production]) {
			for (const server of ["second", "server"]) setSession(queries, { ...session, site: at.id, server });
		}
		await opened();
		// A form for the portal is shared by the servers of the site.
		if (!isOfPortal(one)) await again(() => go({ ...place, server: "second" }));
		const other = place.site === site.id ? production.id : site.id;
		await again(() => go({ ...place, site: other }));
		await again(() => backend.signIn(other, null, { username: "editor", password: "secret" } as SignInForm));
	},
);

/** Pages that have no text field when they open. */
const untyped: readonly Place["page"][] = [
	"sites",
	"plans",
	"backup-set",
	"rehearsal",
	"receipt",
	"overview",
	"changes",
	"practice",
];

test.each<Place>(Object.values(pages))(
	"$page: nothing that was typed is there for another site, or on another page",
	async (place) => {
		let go: (place: Place) => void = () => {};
		const to = (by: typeof go) => {
			go = by;
		};
		const { queries, user } = await show({ name: place.page, files: [], view: <At place={place} to={to} /> });
		await screen.findByRole("heading", { level: 1 });
		await waitFor(() => expect(queries.isFetching()).toBe(0));
		// These forms also have the fields of a proxy.
		for (const radio of screen.queryAllByRole("radio", { name: "Use this proxy" })) await user.click(radio);
		for (const field of texts()) fireEvent.change(field, { target: { value: typed } });
		expect(isTypedThere()).toBe(!untyped.includes(place.page));
		act(() =>
			go(
				place.page === "edit-site" || place.page === "edit-plan"
					? { ...place, site: production.id }
					: { page: "overview", site: production.id },
			),
		);
		await waitFor(() => expect(isTypedThere()).toBe(false));
		await waitFor(() => expect(queries.isFetching()).toBe(0));
		expect(isTypedThere()).toBe(false);
	},
);

const sources = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx", "!./*"], {
	query: "?raw",
	eager: true,
	import: "default",
});

const filesWith = (pattern: RegExp) =>
	Object.entries(sources)
		.filter(([, source]) => pattern.test(source))
		.map(([file]) => file)
		.sort();

/** Files of `components` that contain the markup of every form, dialog and menu, and need no case of their own. */
const parts = ["confirm-dialog", "dialog", "menu", "submit-form"].map((part) => `../components/${part}.tsx`);

test("every menu of the window is one of these", () => {
	const tested = menus.flatMap(({ files }) => files);
	const pattern = /<(?:Menu|MenuButton|MoreMenu|SaveMenu)\s/;
	expect(filesWith(pattern).filter((file) => !parts.includes(file))).toEqual([...new Set(tested)].sort());
});

test("every form and every dialog of the window is one of these", () => {
	const pattern = /<(Modal|Drawer|Popover|Dialog|DialogFrame|DialogForm|ConfirmDialog|SubmitForm)\b|=\{SubmitForm\}/;
	const tested = [...forms, ...dialogs].flatMap(({ files }) => files);
	expect(filesWith(pattern).filter((file) => !parts.includes(file))).toEqual([...new Set(tested)].sort());
	expect(filesWith(/<form\b|="form"/)).toEqual(["../components/submit-form.tsx"]);
});
