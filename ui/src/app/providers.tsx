import { type MantineColorSchemeManager, MantineProvider } from "@mantine/core";
import { DatesProvider } from "@mantine/dates";
import { useColorScheme } from "@mantine/hooks";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { I18nextProvider, useTranslation } from "react-i18next";
import { type Backend, BackendProvider, type PreferencesView } from "@/bridge";
import { DraftsProvider } from "@/lib/drafts";
import { firstDayOfWeek } from "@/lib/format";
import { OperationUisContext } from "@/lib/operation-ui";
import { PreferencesProvider, usePreferences, usualPreferences } from "@/lib/preferences";
import { RunsProvider } from "@/lib/runs";
import { i18n } from "@/messages/i18n";
import { operationUis } from "@/operations";
import { theme } from "./theme";

export interface ProvidersProps extends LookProvidersProps {
	queries: QueryClient;
}

interface LookProvidersProps {
	backend: Backend;
	/** Stored preferences; the defaults if they could not be read. */
	preferences?: PreferencesView;
	/** Nonce that style elements created at run time need under the content security policy. */
	nonce?: string;
	/** Tests switch transitions and portals off. */
	env?: "default" | "test";
	children: ReactNode;
}

const usual: PreferencesView = { preferences: usualPreferences, setAside: [], policy: null };

/** The color scheme comes from the preferences, not from the storage of the page. */
const schemes: MantineColorSchemeManager = {
	get: (otherwise) => otherwise,
	set: () => {},
	subscribe: () => {},
	unsubscribe: () => {},
	clear: () => {},
};

export function Providers({ queries, children, ...look }: ProvidersProps) {
	return (
		<LookProviders {...look}>
			<QueryClientProvider client={queries}>
				<OperationUisContext value={operationUis}>
					<DraftsProvider>
						<RunsProvider>{children}</RunsProvider>
					</DraftsProvider>
				</OperationUisContext>
			</QueryClientProvider>
		</LookProviders>
	);
}

/** Language and colors, without reads from the backend. */
export function LookProviders(props: LookProvidersProps) {
	const { backend, preferences = usual, nonce = "", env = "default", children } = props;
	return (
		<I18nextProvider i18n={i18n}>
			<BackendProvider backend={backend}>
				<PreferencesProvider initial={preferences}>
					<Looks nonce={nonce} env={env}>
						{children}
					</Looks>
				</PreferencesProvider>
			</BackendProvider>
		</I18nextProvider>
	);
}

function Looks({ nonce, env, children }: Required<Pick<ProvidersProps, "nonce" | "env" | "children">>) {
	const { preferences } = usePreferences();
	const system = useColorScheme("light", { getInitialValueInEffect: false });
	const scheme = preferences.theme === "system" ? system : preferences.theme;
	return (
		<MantineProvider
			theme={theme}
			// The style sheet already contains the CSS variables and global classes; see `build/theme-css.ts`.
			withCssVariables={false}
			withGlobalClasses={false}
			colorSchemeManager={schemes}
			// Both properties, because the forced scheme alone is applied only after the first paint.
			defaultColorScheme={scheme}
			forceColorScheme={scheme}
			getStyleNonce={() => nonce}
			env={env}
		>
			<Calendar>{children}</Calendar>
		</MantineProvider>
	);
}

/** Language of calendars and date fields. The first day of the week depends on the region of the system. */
function Calendar({ children }: { children: ReactNode }) {
	const { language } = useTranslation().i18n;
	return <DatesProvider settings={{ locale: language, firstDayOfWeek: firstDayOfWeek() }}>{children}</DatesProvider>;
}
