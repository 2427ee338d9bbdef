import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderWith } from "@/test/render";
import { ExportAgeLine } from "./export-age";

it.each([
	["portal", "Portal: not exported with this app"],
	["server", "Server: not exported with this app"],
] as const)("says of a %s without an export only what this app knows", (area, said) => {
	renderWith(<ExportAgeLine age={{ area, at: null, old: true }} />);
	expect(screen.getByText(said)).toBeVisible();
});
