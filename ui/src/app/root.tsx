import { Box, Button, Group, MantineProvider, Stack, Text } from "@mantine/core";
import { getNonce } from "get-nonce";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { i18n } from "@/messages/i18n";
import { App } from "./app";
import { ErrorBoundary, type FaultProps } from "./error-boundary";
import { Providers, type ProvidersProps } from "./providers";
import { resolveVariables, theme } from "./theme";

/**
 * Entire window. If an error occurs outside a page, for example in the sidebar, the window shows a message instead of
 * being empty.
 */
export function Root(props: Omit<ProvidersProps, "children">) {
	return (
		<ErrorBoundary fallback={WindowFault} backend={props.backend}>
			<Providers {...props}>
				<App />
			</Providers>
		</ErrorBoundary>
	);
}

/** Message instead of the whole window. It has providers of its own, because those of the window might have failed. */
function WindowFault({ words, where }: FaultProps) {
	const { t } = useTranslation("common", { i18n });
	return (
		<MantineProvider
			theme={theme}
			cssVariablesResolver={resolveVariables}
			defaultColorScheme="auto"
			getStyleNonce={() => getNonce() ?? ""}
		>
			<Box component="main" p="lg">
				<Notice tone="failed" title={t("brokenWindow.title")}>
					<Stack gap="sm">
						<Text>{t("brokenWindow.body")}</Text>
						<Text ff="monospace" mod="anywhere">
							{words}
						</Text>
						<Group gap="xs">
							<Button variant="filled" onClick={() => window.location.reload()}>
								{t("brokenWindow.reload")}
							</Button>
							<CopyButton value={`Site Steward\n${words}\n${where}`} label={t("action.copyDetails")} />
						</Group>
					</Stack>
				</Notice>
			</Box>
		</MantineProvider>
	);
}
