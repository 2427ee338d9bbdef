import { useHotkeys } from "@mantine/hooks";
import { type ReactNode, Suspense, useCallback } from "react";
import { DroppedFilesProvider } from "@/lib/dropped-file";
import { HelpContext, type HelpTopic } from "@/lib/help";
import { NavigationProvider, useNavigation } from "@/lib/navigation";
import { afterStart } from "@/lib/when-shown";
import { Shell } from "./shell";
import { SignInRequests } from "./sign-in-requests";
import { topicOfPlace } from "./topic-of-place";

const Notices = afterStart(async () => (await import("./notices")).Notices);

export function App() {
	return (
		<NavigationProvider>
			<DroppedFilesProvider>
				<SignInRequests>
					<HelpProvider>
						<Suspense>
							<Notices />
						</Suspense>
						<Shell />
					</HelpProvider>
				</SignInRequests>
			</DroppedFilesProvider>
		</NavigationProvider>
	);
}

/** Opens help pages from links, and with F1 for the current page. */
function HelpProvider({ children }: { children: ReactNode }) {
	const { place, go } = useNavigation();
	const open = useCallback((topic: HelpTopic) => go({ page: "help", topic }), [go]);
	// Also in fields, because questions arise there.
	useHotkeys([["F1", () => open(topicOfPlace(place))]], []);
	return <HelpContext value={open}>{children}</HelpContext>;
}
