import { screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { expect, it } from "vitest";
import { type HistoryEntry, newRun, type Parameter, type SiteView } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverForm } from "@/bridge/fake-backend/world";
import { parameterOf } from "@/lib/history-text";
import { type Brought, useNavigation } from "@/lib/navigation";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { PreviousValues } from "./previous-values";

async function worldAfterExports(...locations: string[]) {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	for (const location of locations) {
		const target = { kind: "folder", location } as const;
		await backend.exportPortal(site.id, newRun(), { target, checkOnly: false });
	}
	return { site, backend };
}

function Form({ site, brought }: { site: SiteView; brought?: Brought }) {
	const { go } = useNavigation();
	const [filled, setFilled] = useState<readonly Parameter[]>([]);
	useEffect(() => {
		if (brought) go({ page: "operation", site: site.id, server: null, key: "export_portal" }, brought);
	}, [go, site.id, brought]);
	return (
		<>
			<PreviousValues site={site} operation="export_portal" onFill={setFilled} />
			<output>{parameterOf(filled, "location")}</output>
		</>
	);
}

it("offers what was sent last, and fills it in when asked", async () => {
	const { site, backend } = await worldAfterExports("/older", "/newer");
	const { user } = renderWith(<Form site={site} />, backend);
	const offer = await screen.findByRole("button", { name: /^Use values sent earlier/ });
	expect(screen.queryByText("/newer")).toBeNull();
	await user.click(offer);
	expect(screen.getByText("/newer")).toBeVisible();
	expect(screen.getByText(/^The form contains values sent earlier/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("offers what was sent to the server that the page acts on, and nothing of another one", async () => {
	const { site, world } = signedInSite();
	const servers = ["gisapp01", "gisapp02"].map((name) => ({
		...serverForm(name, `https://${name}.example.org/server`),
		id: name,
	}));
	const at = (currentServer: string): SiteView => ({ ...site, servers, currentServer });
	const backend = fakeBackend({ world: { ...world, sites: [at("gisapp01")] } });
	const place = { kind: "serverFolder", location: "/srv/exports" } as const;
	await backend.exportServer({ site: site.id, server: "gisapp01" }, newRun(), { place });
	const offers = (server: string) => <PreviousValues site={at(server)} operation="export_server" onFill={() => {}} />;

	const { unmount } = renderWith(offers("gisapp01"), backend);
	expect(await screen.findByRole("button", { name: /^Use values sent earlier/ })).toBeVisible();
	unmount();

	const { queries } = renderWith(offers("gisapp02"), backend);
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(screen.queryByRole("button")).toBeNull();
});

it("offers nothing where nothing was sent", async () => {
	const { site, backend } = await worldAfterExports();
	const { queries } = renderWith(<Form site={site} />, backend);
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(screen.queryByRole("button")).toBeNull();
});

it("offers neither what was not sent nor a safety backup", async () => {
	const { site, backend } = await worldAfterExports("/sent", "/backup", "/stopped");
	const { searchHistory } = backend;
	backend.searchHistory = async (search, ...rest) => {
		const page = await searchHistory({ ...search, outcomes: [] }, ...rest);
		const entries = page.entries.map((entry): HistoryEntry => {
			const location = parameterOf(entry.parameters, "location");
			if (location === "/stopped") return { ...entry, outcome: "notSent" };
			const purpose = { name: "purpose", value: "safetyBackup" };
			return location === "/backup" ? { ...entry, parameters: [...entry.parameters, purpose] } : entry;
		});
		const { outcomes } = search;
		return { ...page, entries: entries.filter(({ outcome }) => outcomes.length === 0 || outcomes.includes(outcome)) };
	};
	const { user } = renderWith(<Form site={site} />, backend);
	await user.click(await screen.findByRole("button", { name: /^Use values sent earlier/ }));
	expect(screen.getByText("/sent")).toBeVisible();
});

it("fills in what the person came with, and says when that was sent", async () => {
	const { site, backend } = await worldAfterExports("/newer");
	const brought = { parameters: [{ name: "location", value: "/older" }], sentAt: Date.now() - 60_000 };
	renderWith(<Form site={site} brought={brought} />, backend);
	expect(await screen.findByText("/older")).toBeVisible();
	expect(screen.getByText(/^The form contains values sent earlier/)).toBeVisible();
});

/** Form that can be left while its request runs, and opened again. */
function Returning({ site, brought }: { site: SiteView; brought: Brought }) {
	const { go } = useNavigation();
	const [here, setHere] = useState(true);
	const [fills, setFills] = useState(0);
	useEffect(
		() => go({ page: "operation", site: site.id, server: null, key: "export_portal" }, brought),
		[go, site.id, brought],
	);
	return (
		<>
			<button type="button" onClick={() => setHere(!here)}>
				{here ? "send" : "back"}
			</button>
			{here ? <PreviousValues site={site} operation="export_portal" onFill={() => setFills(fills + 1)} /> : null}
			<output>{`filled ${fills}`}</output>
		</>
	);
}

it("fills in what the person came with once, and leaves alone what was changed since", async () => {
	const { site, backend } = await worldAfterExports();
	const brought = { parameters: [{ name: "location", value: "/from-elsewhere" }], sentAt: null };
	const { user } = renderWith(<Returning site={site} brought={brought} />, backend);
	expect(await screen.findByText("filled 1")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "send" }));
	await user.click(screen.getByRole("button", { name: "back" }));
	expect(screen.getByText("filled 1")).toBeVisible();
});
