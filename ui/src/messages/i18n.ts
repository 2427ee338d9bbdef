import { createInstance } from "i18next";
import { initReactI18next } from "react-i18next";
import common from "./en/common.json";
import doctor from "./en/doctor.json";
import history from "./en/history.json";
import deactivateWebhooks from "./en/operations/deactivate-webhooks.json";
import exportPortal from "./en/operations/export-portal.json";
import exportServer from "./en/operations/export-server.json";
import findItems from "./en/operations/find-items.json";
import importServer from "./en/operations/import-server.json";
import refreshInvitation from "./en/operations/refresh-invitation.json";
import run from "./en/operations/run.json";
import updateParticipant from "./en/operations/update-participant.json";
import practice from "./en/practice.json";
import problems from "./en/problems.json";
import sites from "./en/sites.json";

const operations = {
	exportPortal,
	exportServer,
	importServer,
	deactivateWebhooks,
	findItems,
	updateParticipant,
	refreshInvitation,
};

export const english = { common, doctor, sites, history, practice, problems, run, ...operations };

export const i18n = createInstance();

void i18n.use(initReactI18next).init({
	lng: "en",
	fallbackLng: "en",
	ns: Object.keys(english),
	defaultNS: "common",
	resources: { en: english },
	initAsync: false,
	returnNull: false,
	// React escapes what it renders.
	interpolation: { escapeValue: false },
	react: { useSuspense: false },
});
