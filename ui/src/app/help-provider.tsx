import { useHotkeys } from "@mantine/hooks";
import { type ReactNode, useCallback } from "react";
import { HelpContext, type HelpTopic, topicOfPlace } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";

/** Opens the help from everywhere: by its links, and with F1 on what is on screen. */
export function HelpProvider({ children }: { children: ReactNode }) {
	const { place, go } = useNavigation();
	const open = useCallback((topic: HelpTopic) => go({ page: "help", topic }), [go]);
	// In fields too: there a question comes up most often.
	useHotkeys([["F1", () => open(topicOfPlace(place))]], []);
	return <HelpContext value={open}>{children}</HelpContext>;
}
