import { Notifications } from "@mantine/notifications";
import { NavigationProvider } from "@/lib/navigation";
import { Shell } from "./shell";
import { SignInRequests } from "./sign-in-requests";

export function App() {
	return (
		<NavigationProvider>
			<SignInRequests>
				<Notifications position="bottom-right" />
				<Shell />
			</SignInRequests>
		</NavigationProvider>
	);
}
