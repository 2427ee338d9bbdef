import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import {
	asProblem,
	type Preferences,
	type PreferencesView,
	type Problem,
	type SetAside,
	type Setting,
	useBackend,
} from "@/bridge";
import { speak } from "@/messages/i18n";
import { spokenLanguage } from "./language";

/** Defaults of the backend. */
export const usualPreferences: Preferences = {
	theme: "system",
	language: "system",
	zoom: 100,
	notifications: true,
	reminders: true,
	connection: { route: { kind: "system" }, caCertificate: "" },
	lastSite: null,
};

interface PreferencesHandle {
	preferences: Preferences;
	/** Damaged data that was set aside and that no user has marked as resolved. */
	setAside: SetAside[];
	/** Marks a file as resolved. Rejects with a problem. */
	resolveSetAside: (file: SetAside) => Promise<void>;
	/** Settings file of the organization and its problems; `null` if there is none. */
	policy: PreferencesView["policy"];
	/** Whether the organization manages a setting, so that it cannot be changed here. */
	isLocked: (setting: Setting) => boolean;
	/** Why a change was not saved. The change stays effective in this window, and the next change saves it again. */
	problem: Problem | null;
	/** Applies changes at once and saves them in the background. */
	change: (changes: Partial<Preferences>) => void;
	/** Result of the last save of the connection, also if its form was closed meanwhile. */
	connectionSave: ConnectionSave;
	/** Saves the connection. `proxyPassword`: `null` keeps the one in the keyring. */
	saveConnection: (connection: Connection, proxyPassword: string | null) => void;
}

type Connection = Preferences["connection"];

/** State of saving the connection. `connection`: the one to save, which is not part of the preferences yet. */
export type ConnectionSave =
	| { kind: "none" }
	| { kind: "pending"; connection: Connection }
	| { kind: "saved" }
	| { kind: "failed"; connection: Connection; problem: Problem };

const PreferencesContext = createContext<PreferencesHandle | null>(null);

export function PreferencesProvider({ initial, children }: { initial: PreferencesView; children: ReactNode }) {
	const backend = useBackend();
	const [preferences, setPreferences] = useState(initial.preferences);
	const [problem, setProblem] = useState<Problem | null>(null);
	const [connectionSave, setConnectionSave] = useState<ConnectionSave>({ kind: "none" });
	/** Preferences that the backend has stored. */
	const stored = useRef(initial.preferences);
	/** Changes that are effective here but not stored yet. */
	const unsaved = useRef<Partial<Preferences>>({});
	// The backend stores all preferences at once, and a save can wait a minute for the keyring. Saves run one after the
	// other, each on top of what is stored by then, so that none undoes another.
	const written = useRef<Promise<void>>(Promise.resolve());

	const show = useCallback(() => setPreferences({ ...stored.current, ...unsaved.current }), []);
	const write = useCallback(
		async (changes: Partial<Preferences>, proxyPassword: string | null) => {
			stored.current = await backend.savePreferences({ ...stored.current, ...changes }, proxyPassword);
		},
		[backend],
	);
	const writeUnsaved = useCallback(async () => {
		let failed: Problem | null = null;
		// One at a time: a change that cannot be saved does not prevent the others.
		for (const [name, value] of Object.entries(unsaved.current)) {
			try {
				await write({ [name]: value }, null);
				// A value that changed again meanwhile stays unsaved and is written again.
				if (unsaved.current[name as keyof Preferences] === value) delete unsaved.current[name as keyof Preferences];
			} catch (thrown) {
				failed = asProblem(thrown);
			}
		}
		show();
		setProblem(failed);
	}, [write, show]);

	const { policy } = initial;
	const [setAside, setSetAside] = useState(initial.setAside);
	const resolveSetAside = useCallback(
		async (file: SetAside) => setSetAside(await backend.resolveSetAside(file)),
		[backend],
	);
	const isLocked = useCallback((setting: Setting) => policy?.locked.includes(setting) ?? false, [policy]);
	const change = useCallback(
		(changes: Partial<Preferences>) => {
			const now: Preferences = { ...stored.current, ...unsaved.current };
			const isNew = (name: string, value: unknown) => now[name as keyof Preferences] !== value;
			const free = Object.entries(changes).filter(([name, value]) => !isLocked(name as Setting) && isNew(name, value));
			if (free.length === 0) return;
			unsaved.current = { ...unsaved.current, ...Object.fromEntries(free) };
			show();
			written.current = written.current.then(writeUnsaved);
		},
		[writeUnsaved, show, isLocked],
	);
	const saveConnection = useCallback(
		(connection: Connection, proxyPassword: string | null) => {
			setConnectionSave({ kind: "pending", connection });
			written.current = written.current
				.then(() => write({ connection }, proxyPassword))
				.then(
					() => {
						show();
						setConnectionSave({ kind: "saved" });
					},
					(thrown) => setConnectionSave({ kind: "failed", connection, problem: asProblem(thrown) }),
				);
		},
		[write, show],
	);

	useEffect(() => {
		const language = spokenLanguage(preferences.language);
		// If this fails, the window appears after a timeout.
		void speak(language)
			.then(() => backend.windowReady(language))
			.catch(() => {});
	}, [backend, preferences.language]);

	const handle = useMemo(
		() => ({
			preferences,
			setAside,
			resolveSetAside,
			policy,
			isLocked,
			problem,
			change,
			connectionSave,
			saveConnection,
		}),
		[preferences, setAside, resolveSetAside, policy, isLocked, problem, change, connectionSave, saveConnection],
	);
	return <PreferencesContext value={handle}>{children}</PreferencesContext>;
}

export function usePreferences(): PreferencesHandle {
	const handle = useContext(PreferencesContext);
	if (!handle) throw new Error("usePreferences needs a PreferencesProvider above it");
	return handle;
}
