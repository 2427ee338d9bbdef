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
	/** Called when the app has started and this page is removed. */
	onStarted: () => void;
}

/** Renders the page about a failed start, with the preferences of the user. */
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
