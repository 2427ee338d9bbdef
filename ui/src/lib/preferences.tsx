import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { asProblem, type Preferences, type PreferencesView, type Problem, type Setting, useBackend } from "@/bridge";
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
	/** Where the file was put that could not be read; `null` when all is well. */
	setAside: string | null;
	/** The organisation's file and what is wrong with it; `null` when there is none. */
	policy: PreferencesView["policy"];
	/** Whether the organisation decides it, so that nobody can change it here. */
	isLocked: (setting: Setting) => boolean;
	/** Why the last change was not kept; it holds for this window all the same. */
	problem: Problem | null;
	/** Changes some of them at once and keeps them in the background. */
	change: (changes: Partial<Preferences>) => void;
	/** Keeps what a form says; rejects with what is wrong about it. */
	save: (changes: Partial<Preferences>, proxyPassword: string | null) => Promise<void>;
}

const PreferencesContext = createContext<PreferencesHandle | null>(null);

export function PreferencesProvider({ initial, children }: { initial: PreferencesView; children: ReactNode }) {
	const backend = useBackend();
	const [preferences, setPreferences] = useState(initial.preferences);
	const [problem, setProblem] = useState<Problem | null>(null);
	const latest = useRef(preferences);
	// One after the other: what was changed last must be written last.
	const written = useRef<Promise<unknown>>(Promise.resolve());

	const take = useCallback((next: Preferences) => {
		latest.current = next;
		setPreferences(next);
	}, []);
	const { setAside, policy } = initial;
	const isLocked = useCallback((setting: Setting) => policy?.locked.includes(setting) ?? false, [policy]);
	const change = useCallback(
		(changes: Partial<Preferences>) => {
			const isNew = (name: string, value: unknown) => latest.current[name as keyof Preferences] !== value;
			const free = Object.entries(changes).filter(([name, value]) => !isLocked(name as Setting) && isNew(name, value));
			if (free.length === 0) return;
			take({ ...latest.current, ...Object.fromEntries(free) });
			written.current = written.current
				.then(() => backend.savePreferences(latest.current, null))
				.then(
					() => setProblem(null),
					(thrown) => setProblem(asProblem(thrown)),
				);
		},
		[backend, take, isLocked],
	);
	const save = useCallback(
		async (changes: Partial<Preferences>, proxyPassword: string | null) => {
			await written.current;
			const saved = await backend.savePreferences({ ...latest.current, ...changes }, proxyPassword);
			// The keyring may take a minute. What was changed meanwhile stays.
			const names = Object.keys(changes) as (keyof Preferences)[];
			take({ ...latest.current, ...Object.fromEntries(names.map((name) => [name, saved[name]])) });
			setProblem(null);
		},
		[backend, take],
	);

	useEffect(() => {
		const language = spokenLanguage(preferences.language);
		// A window that cannot say that it is painted is shown a little later.
		void speak(language)
			.then(() => backend.windowReady(language))
			.catch(() => {});
	}, [backend, preferences.language]);

	const handle = useMemo(
		() => ({ preferences, setAside, policy, isLocked, problem, change, save }),
		[preferences, setAside, policy, isLocked, problem, change, save],
	);
	return <PreferencesContext value={handle}>{children}</PreferencesContext>;
}

export function usePreferences(): PreferencesHandle {
	const handle = useContext(PreferencesContext);
	if (!handle) throw new Error("usePreferences needs a PreferencesProvider above it");
	return handle;
}
