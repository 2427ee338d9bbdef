import { IconMailForward } from "@tabler/icons-react";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

export const refreshInvitation: OperationUi = {
	key: "refresh_invitation",
	icon: IconMailForward,
	group: "collaboration",
	View: whenShown(async () => (await import("./form")).RefreshInvitation),
	showsList: true,
	stale: ({ site }) => [queryKeys.invitations(site), queryKeys.keptInvitations(site)],
	concerns: ["invitation", "unsavedInvitations"],
	tourSteps: ["refreshInvitation"],
	file: "invitation",
};
