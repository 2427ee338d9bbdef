import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ExportVerification } from "@/bridge";
import { axeFindings, renderWith } from "@/test/render";
import { Verification } from "./verification";

const megabyte = 1_000_000;

function show(changes: Partial<ExportVerification> = {}) {
	const whole = {
		size: 200 * megabyte,
		entries: 431,
		unverifiedEntries: 0,
		isRecognized: true,
		fault: null,
		usualSize: 210 * megabyte,
	};
	renderWith(<Verification verification={{ ...whole, ...changes }} />);
}

it("says that every entry of a saved export was read", async () => {
	show();
	expect(await screen.findByText("Verified: 431 entries, and every checksum matches.")).toBeVisible();
	expect(screen.queryByRole("alert")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("does not claim checksums that could not be compared", async () => {
	show({ unverifiedEntries: 3 });
	expect(await screen.findByText(/^The checksums of 3 entries could not be verified/)).toBeVisible();
	expect(screen.queryByText(/every checksum matches/)).toBeNull();
});

it("does not call an archive of other files verified, and says that no entry is one of a server export", async () => {
	show({ isRecognized: false, unverifiedEntries: 431 });
	expect(await screen.findByRole("status", { name: "Not recognized as a server export" })).toBeVisible();
	expect(screen.queryByText(/^Verified/)).toBeNull();
	expect(screen.queryByText(/431 entries/)).toBeNull();
});

it("warns of an export with a tenth of the usual size", async () => {
	show({ size: 21 * megabyte });
	expect(await screen.findByRole("alert", { name: /much smaller than earlier exports/ })).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("says what is wrong with a file that is not a complete export, and what to do", async () => {
	show({ fault: "damaged", entries: 0 });
	expect(await screen.findByRole("alert", { name: "The saved file is not a complete export" })).toBeVisible();
	expect(screen.getByText(/or checksum does not match/)).toBeVisible();
	expect(screen.getByText(/^Export again/)).toBeVisible();
	expect(screen.queryByText(/^Verified/)).toBeNull();
});

it("says that a saved file is that of an earlier export, and not that it is incomplete", async () => {
	show({ fault: "earlier" });
	expect(await screen.findByRole("alert", { name: "The saved file is that of an earlier export" })).toBeVisible();
	expect(screen.getByText(/^Check whether a cache or proxy/)).toBeVisible();
	expect(screen.queryByText(/check the disk/)).toBeNull();
});
