import { screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { expect, it } from "vitest";
import type { Parameter, SiteView } from "@/bridge";
import { memoryBackend } from "@/bridge/memory";
import { parameterOf } from "@/lib/last-parameters";
import { type Place, useNavigation } from "@/lib/navigation";
import { pastOf } from "@/test/past";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { LastSent } from "./last-sent";

async function worldAfterExports(...locations: string[]) {
	const { site, world } = signedInSite();
	const backend = memoryBackend({ world });
	for (const location of locations) {
		const target = { kind: "folder", location } as const;
		await backend.exportPortal(site.id, crypto.randomUUID(), { target, checkOnly: false });
	}
	return { site, backend };
}

function Form({ site, arrive }: { site: SiteView; arrive?: Place }) {
	const { go } = useNavigation();
	const [filled, setFilled] = useState<readonly Parameter[]>([]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the person arrives once
	useEffect(() => {
		if (arrive) go(arrive);
	}, []);
	return (
		<>
			<LastSent site={site} operation="export_portal" onFill={setFilled} />
			<output>{parameterOf(filled, "location")}</output>
		</>
	);
}

it("offers what was sent last, and fills it in when asked", async () => {
	const { site, backend } = await worldAfterExports("/older", "/newer");
	const { user } = renderWith(<Form site={site} />, backend);
	const offer = await screen.findByRole("button", { name: /^Fill in as last sent/ });
	expect(screen.queryByText("/newer")).toBeNull();
	await user.click(offer);
	expect(screen.getByText("/newer")).toBeVisible();
	expect(screen.getByText(/^Filled in as sent/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
});

it("offers nothing where nothing was sent", async () => {
	const { site, backend } = await worldAfterExports();
	const { queries } = renderWith(<Form site={site} />, backend);
	await waitFor(() => expect(queries.isFetching()).toBe(0));
	expect(screen.queryByRole("button")).toBeNull();
});

it("fills in the record that the person came with", async () => {
	const { site, backend } = await worldAfterExports("/older", "/newer");
	const older = (await pastOf(backend, site.id)).find(({ parameters }) =>
		parameters.some(({ value }) => value === "/older"),
	);
	const arrive: Place = { page: "operation", site: site.id, key: "export_portal", from: older?.id ?? "" };
	renderWith(<Form site={site} arrive={arrive} />, backend);
	expect(await screen.findByText("/older")).toBeVisible();
});

it("fills in values that another screen gave along", async () => {
	const { site, backend } = await worldAfterExports();
	const fill = [{ name: "location", value: "/from-elsewhere" }];
	renderWith(<Form site={site} arrive={{ page: "operation", site: site.id, key: "export_portal", fill }} />, backend);
	expect(await screen.findByText("/from-elsewhere")).toBeVisible();
});

/** A form that goes away while its request runs, and comes back. */
function Returning({ site, arrive }: { site: SiteView; arrive: Place }) {
	const { go } = useNavigation();
	const [here, setHere] = useState(true);
	const [fills, setFills] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the person arrives once
	useEffect(() => go(arrive), []);
	return (
		<>
			<button type="button" onClick={() => setHere(!here)}>
				{here ? "send" : "back"}
			</button>
			{here ? <LastSent site={site} operation="export_portal" onFill={() => setFills(fills + 1)} /> : null}
			<output>{`filled ${fills}`}</output>
		</>
	);
}

it("fills in what the person came with once, and leaves alone what was changed since", async () => {
	const { site, backend } = await worldAfterExports();
	const fill = [{ name: "location", value: "/from-elsewhere" }];
	const arrive: Place = { page: "operation", site: site.id, key: "export_portal", fill };
	const { user } = renderWith(<Returning site={site} arrive={arrive} />, backend);
	expect(await screen.findByText("filled 1")).toBeVisible();
	await user.click(screen.getByRole("button", { name: "send" }));
	await user.click(screen.getByRole("button", { name: "back" }));
	expect(screen.getByText("filled 1")).toBeVisible();
});
