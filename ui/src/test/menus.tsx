import { screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { CommandCenter } from "@/app/command-center";
import { ServerMenu, SiteSwitcher } from "@/app/server-menu";
import { TopBar } from "@/app/top-bar";
import { useSaveReport } from "@/components/import-report/report-view";
import { useSaveChanges } from "@/features/changes/changes-page";
import { AuditTrail, TrailEvents } from "@/features/history/audit-trail";
import { HistoryPage } from "@/features/history/history-page";
import { PlanMenu } from "@/features/plans/plan-row";
import { ReceiptPage } from "@/features/plans/rehearsal/receipt-page";
import { GuidedTourPanel } from "@/features/practice/guided-tour-panel";
import { SiteMenu } from "@/features/sites/site-row";
import { SitesPage } from "@/features/sites/sites-page";
import { EarlierFilters } from "@/operations/find-items/filters";
import { type Case, dialogs, forms, production, session, site } from "./forms-and-dialogs";
import { planOf } from "./plans";

interface MenuCase extends Pick<Case, "files" | "ready" | "world"> {
	/** Name of the button that opens the menu. */
	name: string | RegExp;
	view: ReactElement;
}

const nothing = () => {};
const everything = {
	text: "",
	site: null,
	server: null,
	operation: null,
	username: null,
	outcomes: [],
	from: null,
	to: null,
};
const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
const palette = <CommandCenter sites={[site, production]} site={site} session={session} />;

function SaveReport() {
	return useSaveReport("r-1").menu;
}

function SaveComparison() {
	return useSaveChanges({ kind: "since", site: site.id, from: 1, to: 2 }).menu;
}

/** Returns the case of a dialog or form. */
const like = (name: string, cases: readonly Case[] = dialogs) => cases.find((one) => one.name === name) as Case;

const searched = {
	...like("find_items", forms),
	ready: async ({ user }: Parameters<NonNullable<Case["ready"]>>[0]) =>
		user.click(await screen.findByRole("button", { name: "Show all" })),
};

export const menus: readonly MenuCase[] = [
	{ name: "Menu", files: ["../app/command-center.tsx"], view: palette },
	{ name: /^Server: /, files: ["../app/server-menu.tsx"], view: <ServerMenu site={production} server="gisapp01" /> },
	{
		name: /^Select a site/,
		files: ["../app/server-menu.tsx"],
		view: <SiteSwitcher sites={[site, production]} site={site} />,
	},
	{
		name: /gisadmin/,
		files: ["../app/top-bar.tsx"],
		view: (
			<TopBar site={production} session={session} alone={false} start={null}>
				{null}
			</TopBar>
		),
	},
	{
		name: "More commands for the audit trail",
		files: ["../features/history/audit-trail.tsx"],
		view: <AuditTrail search={everything} />,
	},
	{
		name: "Save audit trail…",
		files: ["../features/history/save-trail.tsx"],
		view: <TrailEvents search={everything} opened onClose={nothing} />,
	},
	{
		name: "Save list",
		files: ["../features/history/history-page.tsx"],
		view: <HistoryPage sites={[site]} />,
	},
	{
		name: "More commands for the guided tour",
		files: ["../features/practice/guided-tour-panel.tsx"],
		view: <GuidedTourPanel site={site} />,
		world: { guidedTour: { begun: 1, folded: false, seen: [] } },
	},
	{
		name: "Save",
		files: ["../features/changes/changes-page.tsx"],
		view: <SaveComparison />,
	},
	{
		name: "More commands for Nightly",
		files: ["../features/plans/plan-row.tsx"],
		view: <PlanMenu plan={planOf(production).plan} onDelete={nothing} />,
	},
	{
		name: "Save",
		files: ["../features/plans/rehearsal/receipt-page.tsx"],
		view: <ReceiptPage site={site} record="r-0" />,
	},
	{
		name: `More commands for ${production.name}`,
		files: ["../features/sites/site-row.tsx"],
		view: <SiteMenu site={production} onUp={nothing} onDown={nothing} onSaveProfile={nothing} onRemove={nothing} />,
	},
	{
		name: "More commands for all sites",
		files: ["../features/sites/sites-page.tsx"],
		view: <SitesPage sites={[production]} practiceOffer={null} />,
	},
	{
		...like("a reminder"),
		name: "Remind me of Water/Mains.FeatureServer",
		files: ["../operations/deactivate-webhooks/deactivation-log.tsx"],
	},
	{ ...searched, name: "Check", files: ["../operations/find-items/checks.tsx"] },
	{ ...searched, name: "Save as file", files: ["../operations/find-items/report.tsx"] },
	{
		name: "Recent searches",
		files: ["../operations/find-items/filters.tsx"],
		view: <EarlierFilters site={site.id} onChoose={nothing} />,
		world: { itemFilters: new Map([[site.id, [filters]]]) },
	},
	{ name: "Save report", files: ["../components/import-report/report-view.tsx"], view: <SaveReport /> },
];

export { palette };
