import { screen, waitFor } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { serverForm } from "@/bridge/fake-backend/world";
import { renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { useBring } from "./navigation";
import { useSites } from "./queries/program";

const servers = ["gisapp01", "gisimg01"].map((name) => ({
	...serverForm(name, `https://${name}.example.org/server`),
	id: name,
}));

function Leads({ server }: { server: string | null }) {
	const bring = useBring();
	const brought = { parameters: [{ name: "location", value: "/srv" }], sentAt: null };
	return useSites().data ? (
		<button type="button" onClick={() => bring({ site: "city", server }, "export_server", brought)}>
			lead
		</button>
	) : null;
}

async function lead(server: string | null) {
	const { site, world } = signedInSite();
	const several = { ...site, server: servers[0]?.address ?? null, servers, currentServer: "gisapp01" };
	const backend = fakeBackend({ world: { ...world, sites: [several] } });
	const choose = vi.spyOn(backend, "chooseServer");
	const { user } = renderWith(
		<WithPlace>
			<Leads server={server} />
		</WithPlace>,
		backend,
	);
	await user.click(await screen.findByRole("button", { name: "lead" }));
	await waitFor(() =>
		expect(screen.getByTestId("place")).toHaveTextContent(
			["operation city", server, "export_server"].filter(Boolean).join(" "),
		),
	);
	return choose;
}

test("what was sent to another server is filled in on the page of that server", async () => {
	expect(await lead("gisimg01")).toHaveBeenCalledWith("city", "gisimg01");
});

test.each(["gisapp01", null])(
	"no server is chosen on the way to the current one, or to a portal: %s",
	async (server) => {
		expect(await lead(server)).not.toHaveBeenCalled();
	},
);
