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

/** What the program takes where nothing else is said. */
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
	/** Data that could not be read, and that no user has marked as resolved. */
	setAside: SetAside[];
	/** Marks some of it as resolved. Rejects with a problem. */
	resolveSetAside: (file: SetAside) => Promise<void>;
	/** The organisation's file and what is wrong with it; `null` when there is none. */
	policy: PreferencesView["policy"];
	/** Whether the organisation decides it, so that nobody can change it here. */
	isLocked: (setting: Setting) => boolean;
	/** Why a change was not kept; it holds for this window all the same, and the next change tries it again. */
	problem: Problem | null;
	/** Changes some of them at once and keeps them in the background. */
	change: (changes: Partial<Preferences>) => void;
	/** What became of the connection that was saved last, also for whoever left the form meanwhile. */
	connectionSave: ConnectionSave;
	/** Keeps the connection that a form describes. `proxyPassword`: `null` keeps the one that is in the keyring. */
	saveConnection: (connection: Connection, proxyPassword: string | null) => void;
}

type Connection = Preferences["connection"];

/** `connection` is what was asked for; the preferences have it once it is saved. */
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
	/** As the program keeps them. */
	const stored = useRef(initial.preferences);
	/** Those that hold here and that the program does not keep yet. */
	const unsaved = useRef<Partial<Preferences>>({});
	// The program takes all of them at once, and a save may wait a minute for the keyring. So they are written one after
	// the other, and each changes what is stored by then: none brings back what another one has changed.
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
		// Each alone: one that cannot be kept takes no other along.
		for (const [name, value] of Object.entries(unsaved.current)) {
			try {
				await write({ [name]: value }, null);
				// Changed once more meanwhile, it is written once more.
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
		// A window that cannot say that it is painted is shown a little later.
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
