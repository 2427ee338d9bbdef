import type { Problem } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";

interface SignInProblemProps {
	problem: Problem | null;
	onRetry: (() => void) | undefined;
	advice?: string | undefined;
}

/** Why a sign-in failed. Below the button, which must stay in view in a low window. */
export function SignInProblem({ problem, onRetry, advice }: SignInProblemProps) {
	if (!problem) return null;
	return (
		<div ref={reveal}>
			<ProblemNotice problem={problem} onRetry={onRetry} advice={advice} />
		</div>
	);
}

const reveal = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: "nearest" });
