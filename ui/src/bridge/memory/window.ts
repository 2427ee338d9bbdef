import type { Backend } from "../backend";
import type {
	CloseAnswer,
	CloseAsked,
	FileDrag,
	MenuAct,
	OpenedFile,
	Preferences,
	PreferencesView,
	Problem,
	SiteId,
} from "../bindings";
import type { Answer } from "./answer";
import type { World } from "./world";

/** What only the system can bring about; tests and the console of a browser do it with these. */
export interface Happenings {
	closeAsked: (unsavedInvitations?: number) => void;
	fileDrag: (drag: FileDrag) => void;
	fileOpened: (opened: OpenedFile) => void;
	menu: (act: MenuAct) => void;
	/** What was said to closing, and which links were opened. */
	answers: CloseAnswer[];
	links: string[];
}

type Around = Pick<
	Backend,
	| "preferences"
	| "savePreferences"
	| "windowReady"
	| "windowUsable"
	| "onCloseAsked"
	| "answerClose"
	| "onFileDrag"
	| "onFileOpened"
	| "takeOpenedFile"
	| "onMenu"
	| "openLink"
>;

export function aroundTheWindow(world: World, answer: Answer): Around & { happen: Happenings } {
	const closing = listeners<CloseAsked>();
	const dragging = listeners<FileDrag>();
	const opening = listeners<undefined>();
	let opened: OpenedFile | null = null;
	const choosing = listeners<MenuAct>();
	const answers: CloseAnswer[] = [];
	const links: string[] = [];
	return {
		preferences: () => answer("preferences", () => world.preferences),
		savePreferences: (preferences) =>
			answer("savePreferences", () => {
				const { route } = preferences.connection;
				if (route.kind === "proxy" && !/^https?:\/\/./.test(route.address)) {
					throw { kind: "form", field: "connection.route.address", fault: "notAnAddress" } satisfies Problem;
				}
				const zoom = Math.min(200, Math.max(80, preferences.zoom));
				world.preferences.preferences = withLocks(world.preferences, { ...preferences, zoom });
				return world.preferences.preferences;
			}),
		windowReady: () => answer("windowReady", () => undefined),
		windowUsable: () => answer("windowUsable", () => undefined),
		onCloseAsked: closing.listen,
		answerClose: (said) => answer("answerClose", () => void answers.push(said)),
		onFileDrag: dragging.listen,
		onFileOpened: (listener) => opening.listen(() => listener()),
		takeOpenedFile: () =>
			answer("takeOpenedFile", () => {
				const taken = opened;
				opened = null;
				return taken;
			}),
		onMenu: choosing.listen,
		openLink: (site: SiteId, address) =>
			answer("openLink", () => {
				const hosts = world.sites.filter(({ id }) => id === site).flatMap((one) => [one.portal, one.server]);
				const own = hosts.some(
					(host) => host && URL.canParse(host) && new URL(host).origin === new URL(address).origin,
				);
				if (!own) {
					throw { kind: "unexpected", message: `${address} is not part of this site` } satisfies Problem;
				}
				links.push(address);
			}),
		happen: {
			closeAsked: (unsavedInvitations = 0) => closing.tell({ runs: 0, unsavedInvitations }),
			fileDrag: dragging.tell,
			fileOpened: (file) => {
				opened = file;
				opening.tell(undefined);
			},
			menu: choosing.tell,
			answers,
			links,
		},
	};
}

/** What the organisation locked stays as it was. */
function withLocks({ preferences: before, policy }: PreferencesView, wanted: Preferences): Preferences {
	const kept = { ...wanted, connection: { ...wanted.connection } };
	for (const setting of policy?.locked ?? []) {
		if (setting === "route" || setting === "caCertificate") {
			Object.assign(kept.connection, { [setting]: before.connection[setting] });
		} else {
			Object.assign(kept, { [setting]: before[setting] });
		}
	}
	return kept;
}

function listeners<T>() {
	const all = new Set<(news: T) => void>();
	return {
		listen: (listener: (news: T) => void) => {
			all.add(listener);
			return () => void all.delete(listener);
		},
		tell: (news: T) => {
			for (const listener of all) listener(news);
		},
	};
}
