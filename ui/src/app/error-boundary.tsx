import { Component, type ComponentType, type ErrorInfo, type ReactNode } from "react";
import type { Place } from "@/lib/navigation";

export interface FaultProps {
	/** Message of the error. */
	words: string;
	/** Component stack. */
	where: string;
	onRetry: () => void;
}

interface ErrorBoundaryProps {
	fallback: ComponentType<FaultProps>;
	/** A new place renders the content again. */
	place?: Place;
	children: ReactNode;
}

interface State {
	words: string | null;
	where: string;
}

/** Contains an error in its content, so that the rest of the window stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
	override state: State = { words: null, where: "" };

	static getDerivedStateFromError(thrown: unknown): State {
		return { words: inWords(thrown), where: "" };
	}

	override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
		this.setState({ where: componentStack?.trim() ?? "" });
	}

	override componentDidUpdate({ place }: ErrorBoundaryProps): void {
		if (place !== this.props.place && this.state.words !== null) this.setState({ words: null });
	}

	override render() {
		const { words, where } = this.state;
		const { fallback: Fault, children } = this.props;
		if (words === null) return children;
		return <Fault words={words} where={where} onRetry={() => this.setState({ words: null })} />;
	}
}

function inWords(thrown: unknown): string {
	return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : (JSON.stringify(thrown) ?? "undefined");
}
