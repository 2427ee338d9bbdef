import type { Backend } from "../backend";
import type {
	CloseAnswer,
	CloseRequested,
	DiagnosticReport,
	FileDrag,
	MenuCommand,
	OpenedFile,
	SiteView,
} from "../bindings";
import type { Doings } from "./answer";
import { listeners } from "./listeners";
import { content } from "./samples";
import { siteIn, type World } from "./world";

/** Events that only the system can cause, for tests and the console of a browser. */
export interface Happenings {
	closeRequested: (unsavedInvitations?: number) => void;
	fileDrag: (drag: FileDrag) => void;
	fileOpened: (opened: OpenedFile) => void;
	menu: (act: MenuCommand) => void;
	/** Calls that tests inspect: answers to the close dialog, opened links, prints. */
	answers: CloseAnswer[];
	links: string[];
	prints: number;
}

export function aroundTheWindow(world: World) {
	const closing = listeners<CloseRequested>();
	const dragging = listeners<FileDrag>();
	const opening = listeners<undefined>();
	const choosing = listeners<MenuCommand>();
	let opened: OpenedFile | null = null;

	const happen: Happenings = {
		closeRequested: (unsavedInvitations = 0) => closing.tell({ runs: 0, unsavedInvitations }),
		fileDrag: dragging.tell,
		fileOpened: (file) => {
			opened = file;
			opening.tell(undefined);
		},
		menu: choosing.tell,
		answers: [],
		links: [],
		prints: 0,
	};
	const heard = {
		onCloseAsked: closing.listen,
		onFileDrag: dragging.listen,
		onFileOpened: (listener) => opening.listen(() => listener()),
		onMenu: choosing.listen,
	} satisfies Partial<Backend>;
	const doings = {
		preferences: () => world.preferences,
		savePreferences: (preferences) => {
			const zoom = Math.min(200, Math.max(80, preferences.zoom));
			world.preferences.preferences = { ...preferences, zoom };
			return world.preferences.preferences;
		},
		resolveSetAside: (file) => {
			world.preferences.setAside = world.preferences.setAside.filter(({ path }) => path !== file.path);
			return world.preferences.setAside;
		},
		startProblem: () => null,
		resolveStart: () => null,
		quitStart: () => {},
		windowReady: () => {},
		windowHasContent: () => {},
		windowUsable: () => {},
		answerClose: (said) => void happen.answers.push(said),
		takeOpenedFile: () => {
			const taken = opened;
			opened = null;
			return taken;
		},
		openLink: (site, address) => {
			siteIn(world, site);
			happen.links.push(address);
		},
		printPage: () => {
			happen.prints += 1;
		},
		about: () => ({
			version: "0.1.0",
			dataFolder: "/home/sam/.local/share/site-steward",
			logFolder: "/home/sam/.local/share/site-steward/logs",
			keyring: "Secret Service",
		}),
		showLogs: () => {},
		logWindowFault: () => {},
		runDiagnostics: (site) => examination(site === null ? null : siteIn(world, site)),
	} satisfies Partial<Doings>;
	return { heard, happen, doings };
}

/** Returns the diagnostics of a computer with a locked keyring. */
function examination(site: SiteView | null): DiagnosticReport {
	const { findings, text } = content().diagnostics as DiagnosticReport;
	return { findings: findings.filter(({ check }) => site !== null || check !== "clock"), text };
}
