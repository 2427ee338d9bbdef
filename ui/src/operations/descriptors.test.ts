import { operationKeys } from "@/app/commands";
import { type DroppedKind, type GuidedTourStep, operations } from "@/bridge";
import { operationUis } from ".";

const all = operations.map(({ key }) => operationUis[key]);

test("an operation is described under its own key", () => {
	expect(all.map(({ key }) => key)).toEqual(operations.map(({ key }) => key));
});

test("each kind of file that can be dropped leads to the page of one operation", () => {
	const kinds = { siteFile: 1, portalFile: 1, contactsFile: 1, invitation: 1 } satisfies Record<DroppedKind, 1>;
	expect(count(all.map(({ file }) => file))).toEqual(kinds);
});

test("each step of the guided tour is done on the page of one operation, but for three", () => {
	const steps = {
		exportPortal: 1,
		exportServer: 1,
		importServer: 1,
		findItem: 1,
		deactivateWebhooks: 1,
		updateParticipant: 1,
		refreshInvitation: 1,
		importPortal: 1,
		checkPortal: 1,
		checkWholeSite: 1,
		undoPortalImport: 1,
	} satisfies Record<
		Exclude<
			GuidedTourStep,
			| "addFault"
			| "saveAuditPackage"
			| "findExpiring"
			| "seeRecoverable"
			| "takeSnapshot"
			| "simulateChanges"
			| "findChange"
			| "acceptChange"
			| "compareSites"
			| "beginRehearsal"
			| "endRehearsal"
			| "putBack"
		>,
		1
	>;
	expect(count(all.flatMap(({ tourSteps }) => tourSteps ?? []))).toEqual(steps);
});

test("each matter of the overview that an operation settles is settled by one", () => {
	const concerns = { webhooks: 1, invitation: 1, unsavedInvitations: 1 };
	expect(count(all.flatMap((ui) => ui.concerns ?? []))).toEqual(concerns);
});

test("the palette finds services and items, each on the page of one operation", () => {
	expect(count(all.map(({ finds }) => finds?.group))).toEqual({ services: 1, items: 1 });
});

test("one operation stores its file among the uploads of the server", () => {
	expect(all.filter(({ storesUpload }) => storesUpload)).toHaveLength(1);
});

test("each operation has a shortcut of its own", () => {
	expect(operationKeys.slice(0, operations.length)).toHaveLength(operations.length);
	expect(new Set(operationKeys).size).toBe(operationKeys.length);
});

test("a run of each operation makes something stale", () => {
	for (const { stale } of all) expect(stale({ site: "city", server: "main" })).not.toEqual([]);
});

function count(names: readonly (string | undefined)[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const name of names) if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}
