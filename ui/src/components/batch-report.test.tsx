import { screen, within } from "@testing-library/react";
import type { BatchItemResult, Problem } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { renderWith, signedInSite } from "@/test/render";
import { BatchReport } from "./batch-report";

const refusal: Problem = { kind: "rejected", code: 403, message: "Only the host may.", details: [] };
const parts: BatchItemResult<string>[] = [
	{ kind: "done", record: "r-1", outcome: "succeeded", report: "a.txt" },
	{ kind: "rejected", problem: refusal },
	{ kind: "notSent" },
];

function show(readOnly: boolean) {
	const { site, world } = signedInSite();
	const here = { ...site, readOnly };
	const backend = fakeBackend({ world: { ...world, sites: [here] } });
	const view = renderWith(
		<BatchReport
			site={here}
			at={0}
			asked={["first", "second", "third"]}
			report={{ stopped: true, outcome: "warnings", parts }}
			title="One of three"
			lost="One is unknown"
			table={{
				label: "Results",
				pages: "Pages",
				headings: ["Name"],
				keyOf: (name) => name,
				cells: (name) => <td>{name}</td>,
			}}
			file={{
				what: "results",
				before: [["Name", (name) => name]],
				after: [["File", (_, part) => (part.kind === "done" ? part.report : "")]],
			}}
			again={(rest) => <button type="button">{rest.join()}</button>}
		/>,
		backend,
	);
	return { ...view, saveTable: vi.spyOn(backend, "saveTable") };
}

test("of several the worst comes first, in the window and in the saved table", async () => {
	const { user, saveTable } = show(false);
	const table = await screen.findByRole("table", { name: "Results" });
	const shown = within(table).getAllByRole("row").slice(1);
	expect(shown.map((row) => row.firstElementChild?.textContent)).toEqual(["second", "third", "first"]);
	expect(screen.getByText(/^You stopped the operation/)).toBeVisible();
	expect(screen.queryByText("One is unknown")).toBeNull();
	await user.click(screen.getByRole("button", { name: "Save results as CSV" }));
	expect(saveTable).toHaveBeenCalledWith(expect.stringMatching(/ results \d/), [
		["Name", "Outcome", "Reason", "File"],
		["second", "rejected", expect.stringContaining("Only the host may."), ""],
		["third", "not sent", "", ""],
		["first", "completed", "", "a.txt"],
	]);
});

test("what had no effect can be sent again, unless the site is read-only", async () => {
	const { unmount } = show(false);
	expect(await screen.findByRole("button", { name: "second,third" })).toBeVisible();
	unmount();
	show(true);
	expect(await screen.findByRole("table", { name: "Results" })).toBeVisible();
	expect(screen.queryByRole("button", { name: "second,third" })).toBeNull();
});
