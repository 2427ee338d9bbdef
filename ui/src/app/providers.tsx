import { MantineProvider } from "@mantine/core";
import { DatesProvider } from "@mantine/dates";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { I18nextProvider, useTranslation } from "react-i18next";
import { type Backend, BackendProvider } from "@/bridge";
import { DraftsProvider } from "@/lib/drafts";
import { RunsProvider } from "@/lib/runs";
import { i18n } from "@/messages/i18n";
import { resolveVariables, theme } from "./theme";

interface ProvidersProps {
	backend: Backend;
	queries: QueryClient;
	/** The nonce that style elements made at run time must carry under the strict content security policy. */
	nonce?: string;
	/** Tests switch transitions and portals off. */
	env?: "default" | "test";
	children: ReactNode;
}

export function Providers({ backend, queries, nonce = "", env = "default", children }: ProvidersProps) {
	return (
		<I18nextProvider i18n={i18n}>
			<MantineProvider
				theme={theme}
				cssVariablesResolver={resolveVariables}
				defaultColorScheme="auto"
				getStyleNonce={() => nonce}
				env={env}
			>
				<Calendar>
					<QueryClientProvider client={queries}>
						<BackendProvider backend={backend}>
							<DraftsProvider>
								<RunsProvider>{children}</RunsProvider>
							</DraftsProvider>
						</BackendProvider>
					</QueryClientProvider>
				</Calendar>
			</MantineProvider>
		</I18nextProvider>
	);
}

/** Calendars and date fields in the language of everything else. */
function Calendar({ children }: { children: ReactNode }) {
	const { i18n } = useTranslation();
	return <DatesProvider settings={{ locale: i18n.language }}>{children}</DatesProvider>;
}
