import type { ReactNode } from "react";
import { NavigationProvider, useNavigation } from "@/lib/navigation";

/** Renders a component and, beside it, the current place as "page site key". */
export function WithPlace({ children }: { children: ReactNode }) {
	return (
		<NavigationProvider>
			{children}
			<Where />
		</NavigationProvider>
	);
}

function Where() {
	const { place } = useNavigation();
	return <output data-testid="place">{Object.values(place).join(" ")}</output>;
}
