import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import type { OperationKey } from "@/bridge";
import { note } from "@/bridge/fake-backend/history";
import { seed } from "@/bridge/fake-backend/seed";
import { operationUis } from "@/operations";
import { fill, renderWith, signedInSite } from "@/test/render";
import { UndoPortalImport } from "./import-portal/undo";
import { UndoImport } from "./import-server/undo-import";

const { site: city, session, world: signedIn } = signedInSite();
const host = "gis.example.org";
/** Site saved by another version. Its name has only invisible characters, so the app asks for the host instead. */
const site = {
	...city,
	name: "\u2066\u200b\u2069",
	confirmByTyping: { portalImport: host, serverImports: {}, deactivation: host },
};
const world = { ...seed(), ...signedIn, sites: [site], history: [] };
const imported = note(world, site, "import_server", { hasSafetyBackup: true });

function operation(key: OperationKey): ReactElement {
	const { View } = operationUis[key];
	return <View site={site} session={session} />;
}

const press = async (user: UserEvent, role: string, name: string | RegExp) =>
	user.click(await screen.findByRole(role, { name }));

const questions: readonly [string, ReactElement, string, (user: UserEvent) => Promise<void>][] = [
	[
		"the undo of an import",
		<UndoImport key="undo" site={site} target="Server" record={imported.id} />,
		"Undo the import",
		(user) => press(user, "button", "Undo this import"),
	],
	[
		"the undo of a portal import",
		<UndoPortalImport
			key="undo"
			site={site}
			record={imported.id}
			safetyBackup={{ location: "/b/a.portalsite", warnings: [], record: null, writtenAt: 0 }}
		/>,
		"Undo the import",
		(user) => press(user, "button", "Undo this import"),
	],
	[
		"the deletion of a stored file",
		operation("import_server"),
		"Delete file",
		async (user) => {
			await press(user, "combobox", "Uploaded file");
			await press(user, "option", /Nov-13/);
			await press(user, "button", "Delete the selected file from the server");
		},
	],
	[
		"the deactivation of webhooks",
		operation("deactivate_webhooks"),
		"Deactivate webhook",
		async (user) => {
			await press(user, "checkbox", "Water/Mains.FeatureServer");
			await press(user, "button", /^Deactivate webhooks of 1/);
		},
	],
	[
		"the deactivation of one webhook",
		operation("deactivate_webhooks"),
		"Deactivate webhook",
		async (user) => {
			await press(user, "button", "2 active webhooks: Hosted/Hydrants.FeatureServer");
			await press(user, "switch", "hydrant-inspections");
		},
	],
];

it.each(questions)("%s is confirmed by the host where the name shows nothing", async (_, view, confirm, open) => {
	const { user } = renderWith(view, { world });
	await open(user);
	const dialog = await screen.findByRole("dialog");
	const button = within(dialog).getByRole("button", { name: confirm });
	expect(button).toBeDisabled();
	await fill(user, within(dialog).getByLabelText(/^Enter “gis.example.org”/), "gis.example.org");
	expect(button).toBeEnabled();
	await user.click(button);
	await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
