import alerts from "./alerts.json";
import changes from "./changes.json";
import diagnostics from "./diagnostics.json";
import forwarding from "./forwarding.json";
import guidedTour from "./guided-tour.json";
import help from "./help.json";
import history from "./history.json";
import deactivateWebhooks from "./operations/deactivate-webhooks.json";
import exportPortal from "./operations/export-portal.json";
import exportServer from "./operations/export-server.json";
import findItems from "./operations/find-items.json";
import importPortal from "./operations/import-portal.json";
import importServer from "./operations/import-server.json";
import refreshInvitation from "./operations/refresh-invitation.json";
import run from "./operations/run.json";
import updateParticipant from "./operations/update-participant.json";
import plans from "./plans.json";
import rehearsal from "./rehearsal.json";
import startProblem from "./start-problem.json";
import updates from "./updates.json";

const operations = {
	exportPortal,
	exportServer,
	importServer,
	deactivateWebhooks,
	findItems,
	updateParticipant,
	refreshInvitation,
	importPortal,
};

export const words = {
	alerts,
	changes,
	diagnostics,
	forwarding,
	guidedTour,
	help,
	history,
	plans,
	rehearsal,
	run,
	startProblem,
	updates,
	...operations,
};
