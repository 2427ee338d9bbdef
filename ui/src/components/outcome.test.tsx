import { screen } from "@testing-library/react";
import { renderWith } from "@/test/render";
import { Outcome, type OutcomeName } from "./outcome";

test.each<[OutcomeName, string, string]>([
	["succeeded", "status", "Succeeded"],
	["warnings", "status", "Completed with warnings"],
	["failed", "alert", "Failed"],
	["unknown", "status", "Unknown"],
	["notSent", "status", "Not sent"],
])("%s is a %s with a word of its own", (outcome, role, word) => {
	renderWith(
		<Outcome outcome={outcome} title="Exported City GIS.">
			more
		</Outcome>,
	);
	expect(screen.getByRole(role, { name: `${word} Exported City GIS.` })).toHaveTextContent("more");
});

test("a result has one headline: its outcome is said to a screen reader alone", () => {
	renderWith(<Outcome outcome="succeeded" title="Exported City GIS in 14 min" />);
	const banner = screen.getByRole("status", { name: "Succeeded Exported City GIS in 14 min" });
	expect(banner).toBeVisible();
	expect(screen.getByText("Succeeded")).toHaveClass("mantine-VisuallyHidden-root");
});
