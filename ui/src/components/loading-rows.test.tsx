import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderWith } from "@/test/render";
import { LoadingRows } from "./notice";

it("shows the rows after a moment, and they do not move", async () => {
	renderWith(<LoadingRows rows={3} />);
	const rows = screen.getByRole("status");
	expect(rows.querySelectorAll(".mantine-Skeleton-root")).toHaveLength(0);
	await expect.poll(() => rows.querySelectorAll(".mantine-Skeleton-root").length).toBe(3);
	expect(rows.querySelectorAll("[data-animate]")).toHaveLength(0);
});
