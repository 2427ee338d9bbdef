import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import type { HistoryEntry } from "@/bridge";
import { textParts } from "@/bridge/fake-backend/history";
import { renderWith } from "@/test/render";
import { hasSecondLine, heightOf } from "./history-lines";
import { HistoryList } from "./history-list";

/** Ten entries fit into the frame. */
const frameHeight = 480;
const lineHeight = 48;

const entry = (at: number): HistoryEntry => ({
	id: `entry ${at}`,
	operation: "export_portal",
	site: "city",
	server: null,
	serverName: null,
	siteName: "City GIS",
	username: "gisadmin",
	startedAt: Date.UTC(2026, 10, 20, 12) - at * 1_000,
	endedAt: null,
	outcome: "succeeded",
	summary: null,
	note: `note ${at}`,
	upload: null,
	noteParts: textParts(`note ${at}`),
	parameters: [],
	hasReport: false,
	elapsed: null,
	siteVersion: "11.5",
	programVersion: "0.1.0",
	systemUser: "pat",
	computer: "gis-desk",
	hasCommand: true,
	hasSafetyBackup: false,
	isResolved: false,
	reason: "",
	batch: null,
});

const plain = {
	batches: [],
	opened: new Map(),
	selected: [],
	onOpenBatch: () => {},
	onUnfold: () => {},
	onSelect: () => {},
};

function Growing({ count }: { count: number }) {
	const [entries, setEntries] = useState(() => Array.from({ length: count }, (_, at) => entry(at)));
	return (
		<main>
			<button type="button" onClick={() => setEntries([{ ...entry(-1), id: "newer" }, ...entries])}>
				newer
			</button>
			<HistoryList
				{...plain}
				entries={entries}
				damaged={[]}
				more={false}
				open={null}
				onOpen={() => {}}
				onEnd={() => {}}
			/>
		</main>
	);
}

function open(count = 200, top = 100) {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(frameHeight);
	vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
		return { top: this.role === "grid" ? top : 0, height: 0 } as DOMRect;
	});
	return renderWith(<Growing count={count} />);
}

const grid = () => screen.getByRole("grid", { name: "History" });
const row = (at: number) => within(grid()).getByText(`note ${at}`).closest("[role=row]") as HTMLElement;
const tabStop = () => grid().querySelector<HTMLElement>("[role=row][tabindex='0']");

function scroll(element: HTMLElement, top: number) {
	element.scrollTop = top;
	act(() => void element.dispatchEvent(new Event("scroll")));
}

test("Tab stops at a row that is in sight, wherever the list was scrolled to", async () => {
	const { user } = open();
	await waitFor(() => expect(tabStop()).toBe(row(0)));
	scroll(grid(), 100 * lineHeight);
	const stop = Number(tabStop()?.getAttribute("aria-rowindex")) - 2;
	expect(stop).toBeGreaterThanOrEqual(100);
	expect(stop).toBeLessThan(110);
	screen.getByRole("button", { name: "newer" }).focus();
	await user.tab();
	expect(tabStop()).toHaveFocus();
});

test("the row that has the focus keeps it when it is scrolled out of sight, and when newer ones come in", async () => {
	open();
	await waitFor(() => expect(row(3)).toBeInTheDocument());
	act(() => row(3).focus());
	const focused = row(3);
	scroll(grid(), 150 * lineHeight);
	expect(focused).toHaveFocus();
	act(() => screen.getByRole("button", { name: "newer" }).click());
	expect(row(3)).toBe(focused);
	expect(focused).toHaveFocus();
	expect(tabStop()).toBe(focused);
});

test("the keys lead to rows that are not drawn yet", async () => {
	const { user } = open();
	await waitFor(() => expect(row(0)).toBeInTheDocument());
	act(() => row(0).focus());
	await user.keyboard("{End}");
	await waitFor(() => expect(row(199)).toHaveFocus());
	await user.keyboard("{Home}");
	await waitFor(() => expect(row(0)).toHaveFocus());
	await user.keyboard("{ArrowDown}");
	await waitFor(() => expect(row(1)).toHaveFocus());
});

test("the list scrolls to the entry that a link named", async () => {
	open();
	cleanup();
	const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
	const entries = Array.from({ length: 200 }, (_, at) => entry(at));
	const list = { ...plain, entries, damaged: [], more: false, open: "entry 120", onOpen: () => {}, onEnd: () => {} };
	renderWith(<HistoryList {...list} linked="entry 120" />);
	await waitFor(() => expect(scrolled.mock.contexts).toEqual([row(120)]));
	expect(row(120)).toHaveAttribute("aria-selected", "true");
});

test("in a low window the list does not scroll for itself: the page does, and draws what is in sight", async () => {
	open(200, 480);
	await waitFor(() => expect(grid().style.height).toBe(""));
	expect(within(grid()).queryByText("note 120")).toBeNull();
	scroll(screen.getByRole("main"), 480 + 120 * lineHeight);
	expect(row(120)).toBeInTheDocument();
});

test("where there is room, the list alone scrolls", async () => {
	open();
	await waitFor(() => expect(grid().style.height).not.toBe(""));
});

test("what is damaged stands where it was, with what is known of it, and the keys pass over it", async () => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(frameHeight);
	const damaged = [
		{ after: null, count: 3, id: null, startedAt: null },
		{ after: "entry 0", count: 1, id: "63a6743a", startedAt: Date.UTC(2026, 10, 20, 12) },
	];
	const { user } = renderWith(
		<main>
			<HistoryList
				{...plain}
				entries={[entry(0), entry(1)]}
				damaged={damaged}
				more={false}
				open={null}
				onOpen={() => {}}
				onEnd={() => {}}
			/>
		</main>,
	);

	const rows = within(grid()).getAllByRole("row").slice(1);
	const texts = rows.map((line) => line.textContent ?? "");
	expect(texts[0]).toBe("3 damaged entries");
	expect(texts[2]).toContain("note 0");
	expect(texts[3]).toMatch(/^Damaged entry · .*2026.* · 63a6743a$/);
	expect(texts[4]).toContain("note 1");
	await user.tab();
	expect(row(0)).toHaveFocus();
	await user.keyboard("{ArrowDown}");
	expect(row(1)).toHaveFocus();
	await user.keyboard("{ArrowUp}");
	expect(row(0)).toHaveFocus();
	await user.keyboard("{Home}");
	expect(row(0)).toHaveFocus();
});

test("the heading of a day counts its entries, and that of a day that was not read whole does not", () => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(frameHeight);
	const day = 86_400_000;
	const dayBefore = { ...entry(2), startedAt: entry(0).startedAt - 2 * day };
	const shown = (more: boolean) => {
		const { unmount } = renderWith(
			<main>
				<HistoryList
					{...plain}
					entries={[{ ...entry(0) }, { ...entry(1), startedAt: entry(0).startedAt }, dayBefore]}
					damaged={[]}
					more={more}
					open={null}
					onOpen={() => {}}
					onEnd={() => {}}
				/>
			</main>,
		);
		const headings = screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
		unmount();
		return headings;
	};
	expect(shown(false)).toEqual([expect.stringMatching(/2 entries$/), expect.stringMatching(/1 entry$/)]);
	expect(shown(true)).toEqual([expect.stringMatching(/2 entries$/), expect.not.stringMatching(/entr/)]);
});

function Shown() {
	const [open, setOpen] = useState<HistoryEntry | null>(null);
	const entries = useState(() => [entry(0), entry(1), entry(2)])[0];
	return (
		<main>
			<HistoryList
				{...plain}
				entries={entries}
				damaged={[]}
				more={false}
				open={open?.id ?? null}
				onOpen={setOpen}
				onEnd={() => {}}
			/>
			<p>open: {open?.id ?? "none"}</p>
		</main>
	);
}

test("while an entry is open, the arrow keys open the next one, and say which is chosen", async () => {
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(frameHeight);
	const { user } = renderWith(<Shown />);
	await waitFor(() => expect(row(0)).toBeInTheDocument());
	act(() => row(0).focus());
	await user.keyboard("{ArrowDown}");
	expect(screen.getByText("open: none")).toBeVisible();
	await user.keyboard("{Enter}");
	expect(screen.getByText("open: entry 1")).toBeVisible();
	await user.keyboard("{ArrowDown}");
	expect(screen.getByText("open: entry 2")).toBeVisible();
	expect(row(2)).toHaveFocus();
	expect(within(grid()).getAllByRole("row", { selected: true })).toEqual([row(2)]);
	await user.keyboard("{ArrowUp}{ArrowUp}");
	expect(screen.getByText("open: entry 0")).toBeVisible();
});

test("an entry that only succeeded is one line: its icon has said it", () => {
	expect(hasSecondLine(entry(0))).toBe(true);
	const silent = { ...entry(1), note: "", noteParts: [] };
	expect(heightOf({ kind: "entry", entry: silent })).toBe(32);
	expect(heightOf({ kind: "entry", entry: { ...silent, reason: "CHG-2291" } })).toBe(48);
	expect(heightOf({ kind: "entry", entry: { ...silent, outcome: "failed" } })).toBe(48);
});
