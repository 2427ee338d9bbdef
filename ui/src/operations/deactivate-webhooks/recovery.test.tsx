import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { type HistoryEntry, newRun } from "@/bridge";
import { fakeBackend } from "@/bridge/fake-backend";
import { useServices } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { pastOf } from "@/test/past";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { Recovery } from "./deactivation-log";

const { site, world } = signedInSite();
const path = "Water/Mains.FeatureServer";

/** Reads the services, as the page of webhooks does, before it renders the actions of the history. */
function AfterReading({ entry }: { entry: HistoryEntry }) {
	const services = useServices(serverOf(site));
	return services.isPending ? null : <Recovery entry={entry} site={site} />;
}

/** Renders the actions of the history for a deactivation of a service that was deleted since. */
async function ofRemovedService(Shown: typeof AfterReading) {
	const backend = fakeBackend({ world });
	await backend.deactivateWebhooks(serverOf(site), newRun("run"), {
		services: [path],
		why: "",
		confirmation: site.name,
	});
	const { listServices } = backend;
	backend.listServices = async (target) => (await listServices(target)).filter((one) => one.path !== path);
	const [entry] = await pastOf(backend);
	const summary = { kind: "deactivation" as const, services: [path], deactivated: [path] };
	if (entry) renderWith(<Shown entry={{ ...entry, summary }} />, backend);
}

it("says that the service of a deactivation is gone, and offers no reactivation", async () => {
	await ofRemovedService(AfterReading);
	const notice = await screen.findByRole("region", { name: "1 service is no longer on the server" });
	expect(notice).toHaveTextContent(path);
	expect(screen.queryByRole("button")).toBeNull();
	expect(await axeFindings()).toEqual([]);
});

it("offers the reactivation while nothing is known of the services", async () => {
	await ofRemovedService(({ entry }) => <Recovery entry={entry} site={site} />);
	await screen.findByRole("region", { name: "The webhooks of 1 service are still deactivated" });
	expect(screen.getByRole("button", { name: "Go to Webhooks" })).toBeVisible();
});

it("offers no reactivation of webhooks that were activated outside of the app", async () => {
	const backend = fakeBackend({ world });
	await backend.deactivateWebhooks(serverOf(site), newRun("run"), {
		services: [path],
		why: "",
		confirmation: site.name,
	});
	const { listDeactivations } = backend;
	let isRead = false;
	backend.listDeactivations = async (id) => {
		const log = await listDeactivations(id);
		isRead = true;
		return log.map((one) => ({ ...one, left: [], activeAgain: one.active ?? [] }));
	};
	const [entry] = await pastOf(backend);
	const summary = { kind: "deactivation" as const, services: [path], deactivated: [path] };
	if (entry) renderWith(<Recovery entry={{ ...entry, summary }} site={site} />, backend);
	await waitFor(() => expect(isRead).toBe(true));
	expect(screen.queryByRole("button", { name: "Go to Webhooks" })).toBeNull();
});

it("leads to the webhooks of the server of the entry, which is not the current one", async () => {
	const [first] = site.servers;
	const imagery = { ...site.servers[0], id: "imagery", name: "imagery" } as typeof first;
	const several = { ...site, servers: [first, imagery] } as typeof site;
	const backend = fakeBackend({ world: { ...world, sites: [several] } });
	const target = { site: site.id, server: "imagery" };
	await backend.deactivateWebhooks(target, newRun("run"), { services: [path], why: "", confirmation: site.name });
	const [entry] = await pastOf(backend);
	const summary = { kind: "deactivation" as const, services: [path], deactivated: [path] };
	expect(entry?.server).toBe("imagery");
	if (!entry) return;
	const { user } = renderWith(
		<WithPlace>
			<Recovery entry={{ ...entry, summary }} site={several} />
		</WithPlace>,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "Go to Webhooks" }));
	expect(await screen.findByText("operation city imagery deactivate_webhooks")).toBeInTheDocument();
});
