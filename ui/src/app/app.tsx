import { Suspense } from "react";
import { DroppedFilesProvider } from "@/lib/dropped-file";
import { NavigationProvider } from "@/lib/navigation";
import { afterStart } from "@/lib/when-shown";
import { HelpProvider } from "./help-provider";
import { Shell } from "./shell";
import { SignInRequests } from "./sign-in-requests";

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
