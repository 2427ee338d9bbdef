import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderWith } from "@/test/render";
import { SavedFile } from "./saved-file";

const saved = { path: "/home/sam/city.agssite", size: 0, sha256: "e3b0" };

it.each([
	[false, /^.*, complete$/],
	[true, /^Size: [^,]*$/],
])("calls a saved file complete unless it was found faulty (%s)", (isFaulty, size) => {
	renderWith(<SavedFile file={saved} isFaulty={isFaulty} />);
	expect(screen.getByText(size)).toBeVisible();
});
