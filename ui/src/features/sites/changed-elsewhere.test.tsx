import { act, screen, waitFor, within } from "@testing-library/react";
import { fakeBackend } from "@/bridge/fake-backend";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries/keys";
import { useSites } from "@/lib/queries/program";
import { formOf } from "@/lib/site-form";
import { axeFindings, fill, renderWith, signedInSite } from "@/test/render";
import { WithPlace } from "@/test/where";
import { EditSitePage } from "./edit-site-page";

const pin = { origin: "https://gis.example.org", fingerprint: "AB:CD" };

/** Page with the current site, which can be left and opened again. */
function Editing() {
	const { place, go, back } = useNavigation();
	const away = place.page === "settings";
	const site = useSites().data?.[0];
	return (
		<>
			<button type="button" onClick={() => (away ? back?.() : go({ page: "settings" }))}>
				leave or come back
			</button>
			{away || !site ? null : <EditSitePage site={site} />}
		</>
	);
}

async function editing() {
	const { site, world } = signedInSite();
	const backend = fakeBackend({ world });
	const view = renderWith(
		<WithPlace>
			<Editing />
		</WithPlace>,
		backend,
	);
	await screen.findByLabelText("Name");
	const leaveOrReturn = () => view.user.click(screen.getByRole("button", { name: "leave or come back" }));
	/** Changes the site as another part of the window would. */
	const elsewhere = async (change: () => Promise<unknown>) => {
		await change();
		await act(() => view.queries.invalidateQueries({ queryKey: queryKeys.sites }));
	};
	const saved = async () => {
		await view.user.click(screen.getByRole("button", { name: "Save" }));
		await waitFor(() => expect(screen.getByTestId("place")).toHaveTextContent("overview city"));
		return (await backend.listSites())[0];
	};
	return { ...view, site, backend, leaveOrReturn, elsewhere, saved };
}

test("a certificate that was trusted since a draft was begun stays when the draft is saved", async () => {
	const { user, site, backend, leaveOrReturn, elsewhere, saved } = await editing();
	await fill(user, screen.getByLabelText("Name"), "Harbor GIS");
	await leaveOrReturn();
	await elsewhere(() => backend.trustCertificate(site.id, pin));
	await leaveOrReturn();
	expect(screen.getByLabelText("Name")).toHaveValue("Harbor GIS");
	expect(screen.getByText(pin.fingerprint)).toBeVisible();
	expect(screen.queryByText("These settings were changed in the meantime")).toBeNull();
	expect(await saved()).toMatchObject({ name: "Harbor GIS", connection: { trustedCertificates: [pin] } });
});

test("what was typed stays where it was changed elsewhere, and what is there now can be taken", async () => {
	const { user, site, backend, leaveOrReturn, elsewhere, saved } = await editing();
	await fill(user, screen.getByLabelText("Name"), "Harbor GIS");
	await user.click(screen.getByRole("radio", { name: "Green" }));
	await leaveOrReturn();
	await elsewhere(() => backend.saveSite({ ...formOf(site), name: "Port GIS" }));
	await leaveOrReturn();
	const notice = screen.getByRole("status", { name: "These settings were changed in the meantime" });
	expect(screen.getByLabelText("Name")).toHaveValue("Harbor GIS");
	expect(await axeFindings()).toEqual([]);
	await user.click(within(notice).getByRole("button", { name: "Use current values" }));
	expect(screen.getByLabelText("Name")).toHaveValue("Port GIS");
	expect(notice).not.toBeInTheDocument();
	expect(await saved()).toMatchObject({ name: "Port GIS", color: site.color });
});

test("a certificate and a name that change while the page is open: the one stays, the other is what was typed", async () => {
	const { user, site, backend, elsewhere, saved } = await editing();
	await fill(user, screen.getByLabelText("Name"), "Harbor GIS");
	await elsewhere(async () => {
		await backend.saveSite({ ...formOf(site), name: "Port GIS", clientId: "steward" });
		await backend.trustCertificate(site.id, pin);
	});
	expect(await screen.findByText("These settings were changed in the meantime")).toBeVisible();
	expect(screen.getByLabelText("Client ID (optional)")).toHaveValue("steward");
	expect(await saved()).toMatchObject({
		name: "Harbor GIS",
		clientId: "steward",
		connection: { trustedCertificates: [pin] },
	});
});

test("a name that was changed elsewhere stays where the one of before was typed back here", async () => {
	const { user, site, backend, elsewhere, saved } = await editing();
	await fill(user, screen.getByLabelText("Name"), "Harbor GIS");
	await elsewhere(() => backend.saveSite({ ...formOf(site), name: "Port GIS" }));
	expect(await screen.findByText("These settings were changed in the meantime")).toBeVisible();
	await fill(user, screen.getByLabelText("Name"), "City GIS");
	expect(screen.queryByText("These settings were changed in the meantime")).toBeNull();
	expect(await saved()).toMatchObject({ name: "Port GIS" });
});

test("once it is saved, a draft is not there any more", async () => {
	const { user, leaveOrReturn, site, backend, elsewhere, saved } = await editing();
	await fill(user, screen.getByLabelText("Name"), "Harbor GIS ");
	await saved();
	expect(screen.queryByText("These settings were changed in the meantime")).toBeNull();
	await leaveOrReturn();
	await elsewhere(() => backend.saveSite({ ...formOf(site), name: "Port GIS" }));
	await leaveOrReturn();
	expect(screen.getByLabelText("Name")).toHaveValue("Port GIS");
});

test("a page that was left while its site is saved does not lead to the overview afterwards", async () => {
	const { user, backend, queries, leaveOrReturn } = await editing();
	const { saveSite } = backend;
	let unlock = () => {};
	const keyring = new Promise<void>((done) => {
		unlock = done;
	});
	const held = vi.spyOn(backend, "saveSite").mockImplementation(async (form) => {
		await keyring;
		return saveSite(form);
	});
	await fill(user, screen.getByLabelText("Name"), "Harbor GIS");
	await user.click(screen.getByRole("button", { name: "Save" }));
	await waitFor(() => expect(held).toHaveBeenCalled());
	await leaveOrReturn();
	await act(async () => unlock());
	await waitFor(() => expect(queries.isFetching() + queries.isMutating()).toBe(0));
	expect(queries.getQueryData(queryKeys.sites)).toMatchObject([{ name: "Harbor GIS" }]);
	expect(screen.getByTestId("place")).toHaveTextContent("settings");
});
