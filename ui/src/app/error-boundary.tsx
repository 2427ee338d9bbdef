import { Box } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { asProblem, type Problem } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";

interface State {
	problem: Problem | null;
}

/** A fault in one screen leaves the bar, the sidebar and the running operations in place. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
	override state: State = { problem: null };

	static getDerivedStateFromError(thrown: unknown): State {
		return { problem: asProblem(thrown) };
	}

	override render() {
		const { problem } = this.state;
		if (!problem) return this.props.children;
		return (
			<Box p="lg" maw={760}>
				<ProblemNotice problem={problem} onRetry={() => this.setState({ problem: null })} />
			</Box>
		);
	}
}
