import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ImportReport } from "@/bridge";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { ImportServer } from "./form";
import { ImportReportViewer } from "./report";

function show(options: Parameters<typeof renderWith>[1] = {}) {
	const { site, world } = signedInSite();
	return renderWith(<ImportServer site={site} />, { world, ...options });
}

type User = ReturnType<typeof show>["user"];

const submit = () => screen.findByRole("button", { name: "Import into City GIS" });

async function fillIn(user: User) {
	await user.click(await screen.findByText("Path on the server"));
	await user.type(screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await user.type(await screen.findByLabelText("Type “City GIS” to confirm"), "City GIS");
}

it("imports after the name is typed, and shows first what did not start", async () => {
	const { user } = show();
	expect(await submit()).toBeDisabled();
	await fillIn(user);
	expect(await axeFindings()).toEqual([]);
	await user.click(await submit());
	expect(await screen.findByRole("heading", { name: /^Imported into City GIS in .* did not start$/ })).toBeVisible();
	expect(screen.getAllByText("Succeeded with warnings").length).toBeGreaterThan(0);
	expect(await axeFindings()).toEqual([]);
});

it("stays locked while the typed name is another", async () => {
	const { user } = show();
	await user.click(await screen.findByText("Path on the server"));
	await user.type(screen.getByLabelText("Path of the file on the server"), "/backups/a.agssite");
	await user.type(await screen.findByLabelText("Type “City GIS” to confirm"), "City");
	expect(await submit()).toBeDisabled();
	expect(screen.getByText("Type the site's name first.")).toBeVisible();
});

it("quotes the server when it refuses, and keeps the file", async () => {
	const message = "The folder /gis/jobs does not exist.";
	const { user } = show({ fail: { importServer: { kind: "refused", code: 500, message, details: [] } } });
	await fillIn(user);
	await user.click(await submit());
	expect(await screen.findByText(message)).toBeVisible();
	expect(screen.getByLabelText("Path of the file on the server")).toHaveValue("/backups/a.agssite");
});

function report(): ImportReport {
	const note = (message: string) => ({ level: "INFO", message, service: null });
	return {
		status: "success",
		counts: { failedServices: 1, warnings: 1, notes: 2 },
		sources: [
			{ source: "Site", messages: [note("Directories found."), { level: "SEVERE", message: "Odd.", service: null }] },
			{
				source: "Services",
				messages: [
					note('<img src=x onerror="alert(1)">'),
					{
						level: "WARNING",
						message: "could not be started",
						service: {
							service: "Parcels/Zoning.MapServer",
							state: "FAILED",
							message: "data not found",
							machines: [{ machine: "SRV1", state: "FAILED", reports: [{ state: "FAILED", message: "no path" }] }],
						},
					},
				],
			},
		],
	};
}

it("puts the worst source first and opens a failed service to its machines", async () => {
	const { user } = renderWith(<ImportReportViewer report={report()} record="r" />);
	const headings = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
	expect(headings).toEqual(["Services", "Site"]);
	await user.click(screen.getByRole("button", { name: /Parcels\/Zoning.MapServer/ }));
	expect(await screen.findByText("FAILED: no path")).toBeVisible();
});

it("filters by words and by level, and says what is hidden", async () => {
	const { user, container } = renderWith(<ImportReportViewer report={report()} record="r" />);
	expect(container.querySelector("img")).toBeNull();
	await user.click(screen.getByRole("checkbox", { name: "Notes (2)" }));
	expect(screen.queryByText("Directories found.")).toBeNull();
	expect(screen.getByText("2 messages are hidden by the filter.")).toBeVisible();
	await user.type(screen.getByLabelText("Search the report"), "SRV1");
	expect(screen.queryByText("Odd.")).toBeNull();
	expect(screen.getByText("Parcels/Zoning.MapServer")).toBeVisible();
	await user.type(screen.getByLabelText("Search the report"), "nothing like it");
	expect(screen.getByText("No message matches the filter.")).toBeVisible();
});

it("draws a long report in pieces", async () => {
	const messages = Array.from({ length: 5_000 }, (_, n) => ({ level: "INFO", message: `note ${n}`, service: null }));
	const counts = { failedServices: 0, warnings: 0, notes: 5_000 };
	const long = { status: "success", counts, sources: [{ source: "Site", messages }] };
	const { user } = renderWith(<ImportReportViewer report={long} record={null} />);
	expect(screen.getAllByText(/^note \d+$/)).toHaveLength(200);
	await user.click(screen.getByRole("button", { name: "Show 200 more" }));
	expect(screen.getAllByText(/^note \d+$/)).toHaveLength(400);
	expect(screen.getByRole("button", { name: "Save as CSV" })).toBeDisabled();
});

it("saves the report and says where", async () => {
	const { user } = show();
	await fillIn(user);
	await user.click(await submit());
	await user.click(await screen.findByRole("button", { name: "Save as HTML" }));
	expect(await screen.findByText(/\.html$/)).toBeVisible();
});
