import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import { DroppedFilesProvider } from "@/lib/dropped-file";
import { NavigationProvider } from "@/lib/navigation";
import classes from "./app.module.css";
import { HelpProvider } from "./help-provider";
import { Shell } from "./shell";
import { SignInRequests } from "./sign-in-requests";

export function App() {
	return (
		<NavigationProvider>
			<DroppedFilesProvider>
				<SignInRequests>
					<HelpProvider>
						<Notifications position="top-right" className={classes.notices ?? ""} />
						<Shell />
					</HelpProvider>
				</SignInRequests>
			</DroppedFilesProvider>
		</NavigationProvider>
	);
}
