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
	/** As the program keeps them; the usual ones where it could not say. */
	preferences?: PreferencesView;
	/** The nonce that style elements made at run time must carry under the strict content security policy. */
	nonce?: string;
	/** Tests switch transitions and portals off. */
	env?: "default" | "test";
	children: ReactNode;
}

const usual: PreferencesView = { preferences: usualPreferences, setAside: [], policy: null };

/** The preferences say which scheme it is; nothing is read from the page's own storage. */
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

/** Language and colors, without anything that asks the program. */
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
			// They are in the style sheet; see `build/theme-css.ts`.
			withCssVariables={false}
			withGlobalClasses={false}
			colorSchemeManager={schemes}
			// Both: what is forced alone is heeded after the first paint.
			defaultColorScheme={scheme}
			forceColorScheme={scheme}
			getStyleNonce={() => nonce}
			env={env}
		>
			<Calendar>{children}</Calendar>
		</MantineProvider>
	);
}

/** Calendars and date fields in the language of everything else; the week begins as in the region of the system. */
function Calendar({ children }: { children: ReactNode }) {
	const { language } = useTranslation().i18n;
	return <DatesProvider settings={{ locale: language, firstDayOfWeek: firstDayOfWeek() }}>{children}</DatesProvider>;
}
