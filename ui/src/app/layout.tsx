import { AppShell } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { afterStart } from "@/lib/when-shown";
import { practiceStripHeight } from "./practice-strip";
import classes from "./shell.module.css";
import { topBarHeight } from "./top-bar";
import { operationsPanelHeight, useOperationsPanel } from "./use-operations-panel";

const OperationsPanel = afterStart(async () => (await import("./operations-panel")).OperationsPanel);

interface LayoutProps {
	practice: boolean;
	/** Whether the sidebar is shown beside the page. */
	side: boolean;
	/** Top bar, sidebar, and page. They are not rendered again when a run changes. */
	children: ReactNode;
}

/** Places the parts of the window, with the operations panel, which changes with every run. */
export function Layout({ practice, side, children }: LayoutProps) {
	const dock = useOperationsPanel();
	return (
		<AppShell
			padding={0}
			className={classes.shell ?? ""}
			header={{ height: topBarHeight + (practice ? practiceStripHeight : 0) }}
			navbar={{ width: 216, breakpoint: 0, collapsed: { desktop: !side, mobile: !side } }}
			footer={{ height: operationsPanelHeight(dock), collapsed: dock.empty }}
			transitionDuration={0}
		>
			{children}
			<AppShell.Footer className={classes.dock ?? ""}>
				<Suspense>
					<OperationsPanel dock={dock} />
				</Suspense>
			</AppShell.Footer>
		</AppShell>
	);
}
