import { IconUsers } from "@tabler/icons-react";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

export const updateParticipant: OperationUi = {
	key: "update_participant",
	icon: IconUsers,
	group: "collaboration",
	View: whenShown(async () => (await import("./form")).UpdateParticipant),
	showsList: true,
	stale: ({ site }) => [queryKeys.participants(site), queryKeys.contactRun(site)],
	Recovery: whenShown(async () => (await import("./recovery")).Recovery),
	tourSteps: ["updateParticipant"],
	file: "contactsFile",
};
