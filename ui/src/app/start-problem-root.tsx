import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Backend, StartProblemView } from "@/bridge";
import { spokenLanguage } from "@/lib/language";
import { loadAllTexts, speak } from "@/messages/i18n";
import { lastResort } from "./last-resort";
import { LookProviders } from "./providers";
import { StartProblemPage } from "./start-problem";

interface StartProblemRootProps {
	backend: Backend;
	failed: StartProblemView;
	nonce: string;
	/** Called once the program is started and the page is gone. */
	onStarted: () => void;
}

/** Draws the page about a start that failed, as this person wants it. */
export async function showStartProblem(root: HTMLElement, props: StartProblemRootProps) {
	const { backend, failed, nonce, onStarted } = props;
	const { problem, preferences } = failed;
	await speak(spokenLanguage(preferences.language))
		.then(loadAllTexts)
		.catch(() => {});
	const page = createRoot(root, { onUncaughtError: lastResort(root, backend) });
	const leave = () => {
		page.unmount();
		onStarted();
	};
	page.render(
		<StrictMode>
			<LookProviders backend={backend} preferences={{ preferences, setAside: [], policy: null }} nonce={nonce}>
				<StartProblemPage problem={problem} onStarted={leave} />
			</LookProviders>
		</StrictMode>,
	);
}
