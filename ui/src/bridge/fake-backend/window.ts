import type { Backend } from "../backend";
import type {
	CheckResult,
	CloseAnswer,
	CloseRequested,
	DiagnosticReport,
	FileDrag,
	MenuCommand,
	OpenedFile,
	Preferences,
	PreferencesView,
	SiteView,
} from "../bindings";
import type { Doings } from "./answer";
import { listeners } from "./listeners";
import { unexpected } from "./problems";
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
			world.preferences.preferences = withLocks(world.preferences, { ...preferences, zoom });
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
			const { portal, server } = siteIn(world, site);
			const own = [portal, server].some((one) => one && URL.parse(one)?.origin === URL.parse(address)?.origin);
			if (!own) throw unexpected(`${address} is not part of this site`);
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

/** Keeps the preferences that the organization has locked. */
function withLocks({ preferences: before, policy }: PreferencesView, wanted: Preferences): Preferences {
	const kept = { ...wanted, connection: { ...wanted.connection } };
	for (const setting of policy?.locked ?? []) {
		if (setting === "route" || setting === "caCertificate") {
			Object.assign(kept.connection, { [setting]: before.connection[setting] });
		} else if (setting !== "logServer") {
			Object.assign(kept, { [setting]: before[setting] });
		}
	}
	return kept;
}

const ok = (check: CheckResult["check"], ...facts: CheckResult["facts"]): CheckResult => ({
	check,
	state: "ok",
	facts,
	advice: null,
});

/** Diagnostics of a computer with a locked keyring. */
function examination(site: SiteView | null): DiagnosticReport {
	return {
		findings: [
			{
				check: "keyring",
				state: "trouble",
				facts: [
					{ name: "kind", value: { kind: "said", text: "Secret Service" } },
					{ name: "answeredIn", value: { kind: "span", millis: 12 } },
				],
				advice: "unlockKeyring",
			},
			ok("program", { name: "version", value: { kind: "said", text: "0.1.0" } }),
			ok("policy", { name: "policyFile", value: { kind: "words", words: "noFileAt", about: "/etc/policy.json" } }),
			ok("dialogs"),
			ok("proxy"),
			ok("roots"),
			ok("journal"),
			ok("disk", { name: "freeSpace", value: { kind: "size", bytes: 35_406_000_000 } }),
			ok("logs"),
			...(site ? [ok("clock")] : []),
		],
		text: "Site Steward, examined 2026-11-19 14:05:00 UTC\n\nKeyring: Error\n  Type: Secret Service\n\nApp: OK\n  Version: 0.1.0\n",
	};
}
