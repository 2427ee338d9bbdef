import { App } from "./app";
import { ErrorBoundary } from "./error-boundary";
import { Providers, type ProvidersProps } from "./providers";
import { WindowFault } from "./window-fault";

/** Everything in the window. A fault outside the screen (sidebar, bar, operations panel) does not leave it empty. */
export function Root(props: Omit<ProvidersProps, "children">) {
	return (
		<ErrorBoundary fallback={WindowFault}>
			<Providers {...props}>
				<App />
			</Providers>
		</ErrorBoundary>
	);
}
